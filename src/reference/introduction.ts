import { invalid } from '../core/errors.ts'
import { keySecretPrefix } from '../core/key-secret.ts'
import { markup, type Markup } from '../core/markup.ts'
import { errorReply } from '../http/errors.ts'
import { IDEMPOTENCY_HEADER } from '../http/idempotency.ts'
import { PROJECT_HEADER } from '../http/project-context.ts'
import { isProjectLocal, refusalsOf, type ApiDocument, type Operation, type Schema } from './document.ts'
import { figure, fold, prose } from './markup.ts'
import { links, refusalTable } from './operation.ts'
import { cursorSample, curl, idSample } from './sample.ts'
import { parameterTable, shape } from './shape.ts'

export type Chapter = [title: string, text: Markup, code: Markup]

/** What holds for many operations, told once; what holds for none is left out. */
export function introduction(all: Operation[], { schemas, securitySchemes }: ApiDocument['components']): Chapter[] {
  const list = all.find(takes('cursor'))
  const local = all.find((each) => isProjectLocal(each) && each.requestBody === undefined)
  const repeatable = all.filter(takes(IDEMPOTENCY_HEADER))
  return [
    authentication(all, securitySchemes.key.description),
    errors(all, schemas.Error),
    list && pagination(list),
    local && projectContext(local),
    repeatable[0] && idempotency(repeatable[0], repeatable),
  ].filter((chapter) => chapter !== undefined)
}

const takes = (name: string) => (each: Operation) => each.parameters?.some((one) => one.name === name) ?? false

function authentication(all: Operation[], scopes: string): Chapter {
  const simple = all.find(
    ({ security, method, path }) => security.length > 0 && method === 'get' && !path.includes('{'),
  )
  return [
    'Authentication',
    markup`<p>Send an API key as a bearer token. A key carries scopes; each operation names the one it requires.</p>
${fold('All scopes', prose(scopes))}`,
    figure('A first request', `export POSTHOUSE_KEY=${keySecretPrefix}…\n${simple ? curl(simple) : ''}`),
  ]
}

function errors(all: Operation[], schema: Schema): Chapter {
  const byCode = new Map(all.flatMap(refusalsOf).map((refusal) => [refusal.code, refusal]))
  const refusals = [...byCode.values()].toSorted((one, other) => one.status - other.status)
  const example = errorReply(invalid([{ path: '/name', message: 'must not be empty' }]), idSample('req'))
  return [
    'Errors',
    markup`<p>Every refusal has this shape, with further fields where they help. Branch on <code>code</code>: what a code
means never changes.</p>${shape(schema, 'response')}${fold('All error codes', refusalTable(refusals))}`,
    figure('A refusal', example.body),
  ]
}

const pagination = (list: Operation): Chapter => [
  'Pagination',
  markup`<p>A list answers one page. While <code>hasMore</code> is true, pass its <code>nextCursor</code> as
<code>cursor</code> to get the next.</p>${parameterTable(list, ['limit', 'cursor'])}`,
  figure('The next page', curl(list, `?cursor=${cursorSample}`)),
]

const projectContext = (local: Operation): Chapter => [
  'Project context',
  markup`<p>A key that is bound to a project acts in it. With a workspace key, an operation inside a project needs the
header <code>${PROJECT_HEADER}</code>.</p><p>The examples take it from <code>$POSTHOUSE_PROJECT</code>; while that is unset,
curl leaves the header out.</p>`,
  figure('With a workspace key', `export POSTHOUSE_PROJECT=${idSample('prj')}\n${curl(local)}`),
]

const idempotency = (first: Operation, all: Operation[]): Chapter => [
  'Idempotency',
  markup`${parameterTable(first, [IDEMPOTENCY_HEADER])}<p>Honoured by</p>${links(all)}`,
  figure('Safe to repeat', curl(first, '', `${IDEMPOTENCY_HEADER}: welcome-ada-1`)),
]
