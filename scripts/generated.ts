import { fileURLToPath } from 'node:url'
import { describedApi, describedRoutes } from '../src/app/describe.ts'
import { settings } from '../src/config/schema.ts'
import { errorCatalogue, type ErrorCode } from '../src/core/errors.ts'
import { eventCatalogue } from '../src/events/kinds.ts'
import { errorReply, statusOf } from '../src/http/errors.ts'
import { exampleOf } from '../src/http/error-examples.ts'
import { contractFiles } from './contract.ts'

interface GeneratedFile {
  path: string
  text: string
}

const root = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))

/** Nothing else lies there. */
export const contractFolder = root('packages/sdk/src/contract/')

export const generatedFiles = (): GeneratedFile[] => [
  { path: root('openapi.json'), text: `${printed(describedApi())}\n` },
  { path: root('docs/configuration.md'), text: configuration() },
  { path: root('docs/errors.md'), text: errors() },
  { path: root('docs/events.md'), text: events() },
  ...[...contractFiles(describedRoutes())].map(([name, text]) => ({ path: contractFolder + name, text })),
]

const MAX_LINE_LENGTH = 400

/** JSON with what fits into a line in one line: a change shows as the line that it is about, and the file stays small. */
function printed(value: unknown, margin = '', key = ''): string {
  const line = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || margin.length + key.length + line.length < MAX_LINE_LENGTH) {
    return key + line
  }
  const deeper = `${margin} `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const parts = Array.isArray(value)
    ? value.map((each) => printed(each, deeper))
    : Object.entries(value).map(([name, each]) => printed(each, deeper, `${JSON.stringify(name)}: `))
  return `${key}${open}\n${parts.map((part) => deeper + part).join(',\n')}\n${margin}${close}`
}

const NOTE = '<!-- Made by `npm run generate`; change the code, not this file. -->'

const configuration = (): string =>
  page(
    'Configuration',
    'Everything is set by environment variables, and everything has a default that works. A file named `.env` in the ' +
      'working directory is read too; variables that are already set win over it. Wrong values are all named at once, ' +
      'and nothing starts.',
    ['Variable', 'Default', 'Form', 'Meaning'],
    Object.values(settings).map(({ variable, form, default: standard, sentence }) => [
      `\`${variable}\``,
      standard === undefined || standard === '' ? '–' : `\`${standard}\``,
      form,
      sentence,
    ]),
  )

const codes = Object.keys(errorCatalogue) as ErrorCode[]

/** The table to look a code up in, and what it looks like on the wire. */
const errors = (): string => `${errorTable()}\n## Examples\n\n${codes.map(errorExample).join('\n')}`

const errorTable = (): string =>
  page(
    'Errors',
    'Every refusal is a JSON object with a sentence for a person in `error`, a stable word for programs in `code`, and ' +
      'the `requestId` to quote when you ask us about it. Branch on `code`; the sentences may change. Stop retrying on ' +
      'every 4xx except 429; after a 429 or a 503 wait the seconds in `Retry-After`.',
    ['Code', 'Status', 'When'],
    codes.map((code) => [`\`${code}\``, String(statusOf[code]), errorCatalogue[code]]),
  )

/** Indented and not fenced: what is fenced in our pages is typed into a shell by a test. */
function errorExample(code: ErrorCode): string {
  const { status, headers, body } = errorReply(exampleOf(code), 'req_01kf0q9h2rfx8b6t3m5vz7d4ce')
  const { 'retry-after': seconds } = headers
  const shown = JSON.stringify(body, undefined, 2).split('\n')
  return [
    `### ${code}`,
    '',
    seconds === undefined ? `Status ${status}:` : `Status ${status}, \`Retry-After: ${seconds}\`:`,
    '',
    ...shown.map((line) => `    ${line}`),
    '',
  ].join('\n')
}

const events = (): string =>
  page(
    'Events',
    'What a webhook endpoint can be told of. An endpoint gets the standard kinds unless it lists the ones it wants. Of an ' +
      'email that we sent each kind is told of one recipient, and `messageId` is different for each recipient: ' +
      '[webhooks.md](webhooks.md#what-arrives).',
    ['Kind', 'Standard', 'Meaning'],
    Object.entries(eventCatalogue).map(([kind, { standard, meaning }]) => [
      `\`${kind}\``,
      standard ? 'yes' : 'on request',
      meaning,
    ]),
  )

function page(
  title: string,
  introduction: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [
    `# ${title}`,
    '',
    NOTE,
    '',
    introduction,
    '',
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map(line),
    '',
  ].join('\n')
}
