import { codeOf } from './source-tree.ts'

/** The text of files by their path from the root of the repository. */
export type Files = ReadonlyMap<string, string>

/** What is wrong with the sources of the portal, one sentence each. */
export const portalFindings = (files: Files): string[] =>
  [...files].flatMap(([path, text]) => [
    ...(path.endsWith('.css') ? aboutStyle(path, text) : aboutCode(path, codeOf(text))),
    ...(isPage(path) ? aboutPage(path, codeOf(text)) : []),
    ...(path === ROUTES ? aboutRoutes(codeOf(text), files) : []),
  ])

const ROUTES = 'portal/src/routes.tsx'
const TOKENS = 'portal/src/kit/tokens.css'

const isPage = (path: string): boolean => /^portal\/src\/pages\/.*\.tsx$/.test(path)

/** Names of colours; those of the system, for forced colours, are allowed. */
const named =
  'white|black|red|green|blue|yellow|orange|purple|gray|grey|silver|navy|teal|maroon|olive|lime|aqua|pink|brown|gold'

const colour = new RegExp(
  `#[0-9a-f]{3,8}\\b|\\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\\(|:[^;{]*\\b(?:${named})\\b`,
  'i',
)

/** Properties and values that mean another side in a language that is written from right to left. */
const physical = [
  /^(?:margin|padding|border)-(?:left|right|top|bottom)\b/,
  /^(?:left|right|top|bottom|width|height|min-width|max-width|min-height|max-height)$/,
  /^border-(?:top|bottom)-(?:left|right)-radius$/,
  /^overflow-(?:left|right)$/,
]

function aboutStyle(path: string, text: string): string[] {
  return declarationsIn(text).flatMap(({ property, value }) => [
    ...(path !== TOKENS && colour.test(`:${value}`) ? [`${path} has a colour of its own: ${property}: ${value}`] : []),
    ...(physical.some((form) => form.test(property)) ||
    (/^(?:text-align|float|clear)$/.test(property) && /\b(?:left|right)\b/.test(value))
      ? [`${path} has a physical direction: ${property}: ${value}`]
      : []),
  ])
}

function declarationsIn(text: string): { property: string; value: string }[] {
  const bare = text.replaceAll(/\/\*[\s\S]*?\*\//g, '')
  return [...bare.matchAll(/(?:^|[;{}])\s*(?<property>-?[a-z][a-z-]*)\s*:\s*(?<value>[^;{}]+)(?=[;}])/g)].map(
    ({ groups }) => ({ property: groups?.['property'] ?? '', value: (groups?.['value'] ?? '').trim() }),
  )
}

/** The one place that makes requests: it remembers them for "Show as curl". */
const WITH_FETCH = 'portal/src/shell/requests.ts'

function aboutCode(path: string, code: string): string[] {
  return [
    ...(/#[0-9a-fA-F]{6}\b|\b(?:rgba?|hsla?)\(/.test(code) ? [`${path} has a colour of its own`] : []),
    ...(/\bfetch\s*\(/.test(withoutStrings(code)) && path !== WITH_FETCH
      ? [`${path} calls fetch; calls are made by shell/api.ts`]
      : []),
    ...(/dangerouslySetInnerHTML|\binnerHTML\b/.test(code) ? [`${path} writes HTML`] : []),
  ]
}

/** Programs that people copy are texts of ours, and none of our programs. */
const withoutStrings = (code: string): string => code.replaceAll(/`[^`]*`|'[^'\n]*'/g, "''")

function aboutPage(path: string, code: string): string[] {
  const wrong: [isSo: boolean, finding: string][] = [
    [/(?:from|import)\s*'[^']*\.css'/.test(code), 'imports CSS; pages are made of components'],
    [/\b(?:className|style)=/.test(code), 'has a look of its own; pages are made of components'],
    [talks.test(code), 'talks to the API; that is done by data.ts'],
    [/<table\b/.test(code), 'has a table of its own'],
    [path.endsWith('/list.tsx') && !/<ListPage\b/.test(code), 'is a list and no ListPage'],
  ]
  return [
    ...wrong.filter(([isSo]) => isSo).map(([, finding]) => `${path} ${finding}`),
    ...textIn(code).map((text) => `${path} has a text outside of words: ${text}`),
  ]
}

/** What else `shell/api.ts` has, such as giving a file to the person, is for everybody. */
const talks = /import \{[^}]*\b(?<!type )(?:call|download|ask|askPages|useChange)\b[^}]*\} from '[^']*shell\/api\.ts'/

/** Attributes that people read. */
const readable =
  /\b(?:label|title|hint|sentence|placeholder|description|submit|action|note|text|alt|aria-label|data-tip)=(?:"(?<double>[^"]+)"|\{'(?<single>[^']+)'\})/g

/** What stands before the end of an element, and what begins one with a capital letter. */
const contents = [
  /(?:(?<!=)>|\})\s*(?<inner>[^<>{}=;]*[A-Za-z]{2}[^<>{}=;]*?)\s*<\/[\w.]*>/g,
  /<[A-Za-z][\w.]*(?:\s+[\w-]+(?:="[^"]*"|=\{[^{}<>]*\})?)*>\s*(?<inner>[A-Z][a-z]+[^<>{}=;()]*?)\s*[{<]/g,
]

function textIn(code: string): string[] {
  const attributes = [...code.matchAll(readable)].map(({ groups }) => groups?.['double'] ?? groups?.['single'] ?? '')
  const inner = contents.flatMap((form) => [...code.matchAll(form)]).map(({ groups }) => groups?.['inner'] ?? '')
  return [...new Set([...attributes, ...inner])].filter((text) => /[A-Za-z]{2}/.test(text))
}

/** A row has an address, a page that is there, and who may see it. */
function aboutRoutes(code: string, files: Files): string[] {
  const rows = code.split(/(?=\bpath: ')/).slice(1)
  return rows.flatMap((row) => {
    const path = /path: '(?<path>[^']*)'/.exec(row)?.groups?.['path'] ?? ''
    const file = /import\('\.\/(?<file>[^']+)'\)/.exec(row)?.groups?.['file']
    const page = file === undefined ? undefined : files.get(`portal/src/${file}`)
    return [
      ...(/\bscope: '[\w:-]+'/.test(row) ? [] : [`the row ${path} does not say who may see it`]),
      ...(page === undefined || !/export (?:function|const) Page\b/.test(page) ? [`the row ${path} has no Page`] : []),
    ]
  })
}
