import { codeOf, hasOpaqueImport, importsOf, type Import, type SourceTree } from './source-tree.ts'

/** Who may look into whom: a module and the modules it may import from, types included. Itself is always allowed. */
export const mayUse: Readonly<Record<string, readonly string[]>> = {
  core: [],
  net: ['core'],
  config: ['core', 'net'],
  template: [],
  mail: ['core', 'net', 'template'],
  'smtp/client': ['core', 'net', 'mail'],
  'smtp/server': ['core', 'net', 'mail'],
  sms: ['core', 'net'],
  storage: ['core'],
  'embedded-postgres': ['core', 'storage'],
  dispatch: ['core', 'storage'],
  jobs: ['core', 'storage', 'dispatch'],
  events: ['core', 'storage'],
  shapes: ['core'],
  http: ['core', 'net', 'shapes', 'storage'],
  reference: ['core', 'shapes', 'http'],
  process: ['core', 'config', 'http', 'embedded-postgres'],
  resources: ['core', 'net', 'shapes', 'template', 'mail', 'sms', 'storage', 'jobs', 'dispatch', 'events', 'http'],
  delivery: ['core', 'dispatch'],
  'delivery/mail': ['core', 'net', 'mail', 'smtp/client', 'dispatch', 'resources', 'delivery'],
  'delivery/webhooks': ['core', 'net', 'dispatch', 'resources', 'delivery'],
  'delivery/sms': ['core', 'sms', 'dispatch', 'resources', 'delivery'],
  links: ['core', 'http', 'resources'],
  door: ['core', 'shapes', 'http', 'resources'],
  app: 'core config net shapes template mail smtp/client smtp/server sms storage embedded-postgres jobs dispatch events http reference process resources delivery/mail delivery/webhooks delivery/sms links door'.split(
    ' ',
  ),
  cli: ['core', 'config', 'process', 'app'],
  main: ['cli', 'process'],
  sdk: [],
  portal: ['sdk'],
}

/**
 * Each resource may use those before it, through their front doors. A part of a resource that is loaded without the rest
 * of it has a line of its own.
 */
export const resourceOrder: readonly string[] = [
  'projects',
  'sessions',
  'people',
  'keys',
  'domains',
  'domain-reports',
  'suppressions',
  'templates',
  'audiences',
  'contacts',
  'tags',
  'emails',
  'broadcasts',
  'automations',
  'webhooks',
  'receiving/intake',
  'receiving',
  'sms/projects',
  'sms/registration',
  'sms/wallet',
  'sms/consents',
  'sms/messages',
  'sms',
  'queue',
  'statistics',
  'audit',
  'search',
  'live',
  'installation',
  'notices',
]

/** Files of constants, which anything in a resource may use. */
const leaves = ['states', 'limits', 'kinds']

/** Inside one resource, by the file's name; any other name holds rules, as `service` does. */
const insideResource: Readonly<Record<string, readonly string[]>> = {
  index: ['jobs', 'service', 'store', 'schema', ...leaves],
  routes: ['routes', 'service', 'schema', ...leaves],
  jobs: ['service', 'schema'],
  service: ['service', 'store', 'schema', ...leaves],
  store: ['schema', ...leaves],
  schema: ['schema', ...leaves],
  ...Object.fromEntries(leaves.map((leaf) => [leaf, []])),
}

/** Services return values: status codes, headers and downloads are the matter of the routes. */
const partsWithHttp = new Set(['routes'])
/** What only the API process needs of a resource is not in its index, so that no other process loads it. */
const doorsOfTheApi = new Set(['routes', 'routes/index', 'schema'])
const modulesOfStores = ['core', 'storage']
/** The receiving SMTP server loads this of the resources and nothing else: it is small, and starts fast. */
const resourcesOfFile: Readonly<Record<string, string>> = { 'src/app/inbound.ts': 'receiving/intake' }
const modulesWithSql = new Set(['storage', 'embedded-postgres', 'dispatch', 'jobs', 'events'])
const modulesWithEnvironment = new Set(['app', 'cli', 'config', 'main', 'process'])
const emptyNames = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'manager', 'managers'])
const MAX_FILE_LENGTH = 400

/** What is wrong with a tree, one sentence each. Tests may import anything; only their names and lengths count. */
export const findings = (tree: SourceTree): string[] => [
  ...[...tree].flatMap(([path, text]) => [...aboutAnyFile(path, text), ...aboutSource(path, text)]),
  ...cycles(tree).map((cycle) => `${cycle.join(' → ')} is a circle`),
]

function aboutAnyFile(path: string, text: string): string[] {
  const lines = text.trimEnd().split('\n').length
  const words = path.split('/').flatMap((segment) => segment.toLowerCase().split(/[-_.]/))
  return [
    ...(lines > MAX_FILE_LENGTH ? [`${path} has ${lines} lines, more than ${MAX_FILE_LENGTH}`] : []),
    ...words.filter((word) => emptyNames.has(word)).map((word) => `${path} is named ${word}, which says nothing`),
  ]
}

/** Programs for people to copy stand in these files as text: what a program imports and reads is no matter of the file. */
const samples = new Set(['portal/src/pages/send/as-call.tsx', 'portal/src/pages/webhooks/receivers.ts'])

function aboutSource(path: string, text: string): string[] {
  const module = moduleOf(path)
  if (module === undefined) return []
  if (!(module in mayUse)) return [`${path} is in a module that the table does not know`]
  const code = codeOf(text)
  const hasProgram = samples.has(path)
  const imports = importsOf(path, text).filter(({ target }) => target !== undefined || !hasProgram)
  return [
    ...imports.flatMap((found) => aboutImport(path, module, found)),
    ...(hasOpaqueImport(text) ? [`${path} imports something that is named only while running`] : []),
    ...(/^\s*export\s+(default\b|\{[^}]*\bdefault\s*[,}])/m.test(code) ? [`${path} has a default export`] : []),
    ...(speaksSql(code, imports) && !mayHoldSql(path, module) ? [`${path} has SQL, which lives in stores`] : []),
    ...(readsEnvironment(code, imports) && !modulesWithEnvironment.has(module) && !hasProgram
      ? [`${path} reads the environment instead of getting values`]
      : []),
  ]
}

function aboutImport(path: string, module: string, { specifier, target }: Import): string[] {
  const refused = (why: string) => [`${path} must not import ${specifier}: ${why}`]
  if (target === undefined) {
    const pure = ['node:crypto', 'node:zlib'].includes(specifier)
    if (module === 'core' && !pure) return refused('core has no I/O and no packages')
    if (module === 'sdk') return refused('the client has no dependencies and runs in browsers')
    return module === 'portal' && specifier.startsWith('node:') ? refused('the portal runs in browsers') : []
  }
  const targetModule = moduleOf(target)
  if (targetModule === undefined) return isData(target) ? [] : refused('it is outside of src')
  if (module === 'resources') return aboutImportOfResource(path, target, targetModule, refused)
  if (module !== targetModule && !mayUse[module]?.includes(targetModule))
    return refused(`${module} may not use ${targetModule}`)
  if (targetModule !== 'resources') return []
  const isOfApi = module === 'app' || module === 'door'
  const isDoor = fileIn(target) === 'index' || (isOfApi && doorsOfTheApi.has(fileIn(target)))
  if (!isDoor) return refused('resources are used by their index.ts')
  const only = resourcesOfFile[path]
  return only === undefined || resourceOf(target) === only ? [] : refused(`it loads ${only} and no other resource`)
}

function aboutImportOfResource(path: string, target: string, module: string, refused: (why: string) => string[]) {
  const [own, part] = [resourceOf(path), partOf(path)]
  if (!resourceOrder.includes(own)) return refused(`${own} has no place in the order of resources`)
  if (module !== 'resources') {
    const allowed = part === 'store' ? modulesOfStores : (mayUse['resources'] ?? [])
    return allowed.includes(module) && (module !== 'http' || partsWithHttp.has(part))
      ? []
      : refused(`a ${part} may not use ${module}`)
  }
  const other = resourceOf(target)
  if (other === own) {
    return insideResource[part]?.includes(partOf(target)) ? [] : refused(`a ${part} may not use a ${partOf(target)}`)
  }
  if (part === 'store') return refused('a store uses no other resource')
  if (resourceOrder.indexOf(other) >= resourceOrder.indexOf(own)) return refused(`${other} comes after ${own}`)
  const isForApi = (part === 'routes' || part === 'schema') && doorsOfTheApi.has(fileIn(target))
  return fileIn(target) === 'index' || isForApi ? [] : refused('resources are used by their index.ts')
}

const speaksSql = (code: string, imports: readonly Import[]): boolean =>
  /\.query\s*[(<]/.test(code) ||
  imports.some(
    ({ specifier, target, clause }) =>
      specifier === 'pg' || (target === 'src/storage/sql.ts' && /\bsql\b|\bidentifier\b|\*/.test(clause)),
  )

/** `store.ts` or a folder of that name, for a store that became too long for one file. */
const mayHoldSql = (path: string, module: string): boolean =>
  modulesWithSql.has(module) || path === 'src/http/store.ts' || (module === 'resources' && partOf(path) === 'store')

const readsEnvironment = (code: string, imports: readonly Import[]): boolean =>
  /\bprocess\s*(\?\.|\.)\s*env\b|\bprocess\s*\[/.test(code) ||
  imports.some(({ specifier, clause }) => specifier === 'node:process' && /\benv\b|\*|^\w/.test(clause))

/** `src/http/server.ts` → http; `src/smtp/client/pool.ts` → smtp/client; `src/delivery/sms/deliver.ts` → delivery/sms; `packages/sdk/src/client.ts` → sdk; undefined for what is no source of ours. */
const moduleOf = (path: string): string | undefined =>
  (/^src\/(smtp\/\w+|delivery\/(?:mail|webhooks|sms)(?=\/)|[\w-]+)[/.]/.exec(path) ??
    /^(?:packages\/)?(sdk|portal)\/src\//.exec(path))?.[1]

const isData = (path: string): boolean => path.endsWith('.json')

function resourceOf(path: string): string {
  const [, , name = '', part = ''] = path.split('/')
  return resourceOrder.includes(`${name}/${part}`) ? `${name}/${part}` : name
}

const fileIn = (path: string): string => path.slice(`src/resources/${resourceOf(path)}/`.length).replace(/\.ts$/, '')

function partOf(path: string): string {
  const [first = ''] = fileIn(path).split('/')
  return first in insideResource ? first : 'service'
}

/** Every circle once, begun at the file where the walk closed it. */
function cycles(tree: SourceTree): string[][] {
  const found: string[][] = []
  const done = new Set<string>()
  const walk = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) {
      found.push([...way.slice(way.indexOf(path)), path])
      return
    }
    if (done.has(path)) return
    for (const { target } of importsOf(path, tree.get(path) ?? '')) {
      if (target !== undefined && tree.has(target)) walk(target, [...way, path])
    }
    done.add(path)
  }
  for (const path of tree.keys()) walk(path, [])
  return found
}
