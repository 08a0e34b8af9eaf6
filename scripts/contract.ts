/**
 * The types of every operation of the API for `packages/sdk`, printed from the route table itself. Each part of the API
 * document has a file for its operations and one for the shapes that it is the first to use.
 */
import { errorCatalogue } from '../src/core/errors.ts'
import { scopes } from '../src/core/scopes.ts'
import { Components } from '../src/http/openapi-components.ts'
import { tagOf } from '../src/http/openapi-tags.ts'
import type { Route } from '../src/http/route.ts'
import { ErrorShape } from '../src/shapes/shapes.ts'
import { commentOf, fieldsOf, literal, nameOf, spaced, typeOf, unionOf, type Shape } from './type-printer.ts'

const NOTE = '// Made by `npm run generate`; change the routes and their schemas, not this file.\n'

/** Shapes that belong to no part: what every operation may be refused with, and the words of catalogues. */
const SHARED = 'refusals'

/** Words that shapes refer to by name, and that are catalogues in the code. */
const catalogues: Readonly<Record<string, readonly string[]>> = {
  Scope: scopes,
  ErrorCode: Object.keys(errorCatalogue),
}

interface Part {
  /** Every name that the part declares, with its declaration. */
  shapes: Map<string, string>
  operations: string[]
}

/** The files below `packages/sdk/src/contract`, by their path there. */
export function contractFiles(routes: readonly Route[]): Map<string, string> {
  const parts = partsOf(routes)
  const ownerOf = new Map([...parts].flatMap(([part, { shapes }]) => [...shapes.keys()].map((name) => [name, part])))
  const files = new Map<string, string>()
  for (const [part, { shapes, operations }] of parts) {
    if (shapes.size > 0) files.set(`shapes/${part}.ts`, fileOf([...shapes.values()], './', part, ownerOf))
    if (operations.length > 0) {
      const all = `export interface ${interfaceOf(part)} {\n${operations.join('')}}\n`
      files.set(`operations/${part}.ts`, fileOf([all], '../shapes/', undefined, ownerOf))
    }
  }
  return new Map([['index.ts', indexOf([...files.keys()])], ...files])
}

function partsOf(routes: readonly Route[]): Map<string, Part> {
  const components = new Components()
  const written = (part: unknown): Shape => components.lift(part) as Shape
  const parts = new Map<string, Part>()
  const partNamed = (name: string): Part => {
    const part = parts.get(name) ?? { shapes: new Map(), operations: [] }
    parts.set(name, part)
    return part
  }
  const declared = new Set(Object.keys(catalogues))
  const declareIn = (part: Part): void => {
    for (const [name, shape] of Object.entries(components.all('schemas'))) {
      if (declared.has(name)) continue
      declared.add(name)
      part.shapes.set(nameOf(name), declarationOf(nameOf(name), shape as Shape))
    }
  }
  const shared = partNamed(SHARED)
  for (const [name, words] of Object.entries(catalogues)) {
    shared.shapes.set(name, `export type ${name} =${spaced(unionOf(words.map(literal)))}\n`)
  }
  written(ErrorShape)
  declareIn(shared)
  for (const route of routes) {
    const part = partNamed(partOf(route))
    part.operations.push(operationOf(route, written))
    declareIn(part)
  }
  return parts
}

/** As the API document has it; text messages are several parts, each with a word behind `/sms`. */
function partOf({ path }: Route): string {
  const tag = tagOf(path)
  return tag === 'sms' ? `sms-${path.split('/')[2]}` : tag
}

const interfaceOf = (part: string): string =>
  `${part.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Operations`

/** The text of a file with the imports that it needs. */
function fileOf(
  declarations: readonly string[],
  shapes: string,
  own: string | undefined,
  ownerOf: ReadonlyMap<string, string>,
): string {
  const code = declarations.join('\n')
  const used = new Set(code.replaceAll(/\/\*\*[^]*?\*\/|'(?:[^'\\]|\\.)*'/g, '').match(/\b[A-Z]\w*/g))
  const imports = Map.groupBy(
    [...ownerOf].filter(([name, part]) => used.has(name) && part !== own),
    ([, part]) => part,
  )
  const lines = [...imports].map(
    ([part, names]) => `import type {${names.map(([name]) => `\n  ${name},`).join('')}\n} from '${shapes}${part}.ts'\n`,
  )
  return [NOTE, ...(lines.length > 0 ? [lines.join('')] : []), code].join('\n')
}

function indexOf(files: readonly string[]): string {
  const parts = files.filter((file) => file.startsWith('operations/')).map((file) => file.slice(11, -3))
  return [
    NOTE,
    parts.map((part) => `import type { ${interfaceOf(part)} } from './operations/${part}.ts'\n`).join(''),
    files
      .filter((file) => file.startsWith('shapes/'))
      .map((file) => `export type * from './${file}'\n`)
      .join(''),
    `/** Every operation of the API by its method and path. */\nexport type Operations =${parts
      .map((part) => ` &\n  ${interfaceOf(part)}`)
      .join('')
      .replace(' &', '')}\n`,
  ].join('\n')
}

function declarationOf(name: string, shape: Shape): string {
  const isInterface = shape.type === 'object' && shape.properties !== undefined
  const body = isInterface ? `interface ${name} ${fieldsOf(shape)}` : `type ${name} =${spaced(typeOf(shape))}`
  return `${commentOf(shape.description)}export ${body}\n`
}

function operationOf(route: Route, written: (part: unknown) => Shape): string {
  const fields: Record<string, string> = {
    params: paramsOf(route),
    query: route.query === undefined ? 'undefined' : typeOf(written(route.query), 2),
    body: bodyOf(route, written),
    reply: replyOf(route, written),
    ...(route.uploads.length > 0 && { uploads: unionOf(route.uploads.map(literal)) }),
    ...(route.downloads.length > 0 && { downloads: unionOf(route.downloads.map(literal)) }),
    ...(route.streams && { streams: 'true' }),
    scope: route.scope === null ? 'null' : literal(route.scope),
    context: literal(route.context),
    ...Object.fromEntries(flagsOf(route).map((flag) => [flag, 'true'])),
  }
  const lines = Object.entries(fields).map(([name, type]) => `    ${name}:${spaced(type)}\n`)
  return `${commentOf(route.summary, 1)}  ${literal(keyOf(route))}: {\n${lines.join('')}  }\n`
}

const keyOf = ({ method, path }: Route): string => `${method} ${path}`

function paramsOf({ params }: Route): string {
  const fields = Object.keys(params).map((name) => `${name}: string`)
  return fields.length === 0 ? 'undefined' : `{ ${fields.join('; ')} }`
}

function bodyOf({ body, bodyIsOptional, uploads }: Route, written: (part: unknown) => Shape): string {
  if (uploads.length > 0) return 'Blob | string | Uint8Array<ArrayBuffer>'
  if (body === undefined) return 'undefined'
  return unionOf([typeOf(written(body), 2), ...(bodyIsOptional ? ['undefined'] : [])])
}

function replyOf({ reply, downloads }: Route, written: (part: unknown) => Shape): string {
  if (downloads.length > 0) return 'Blob'
  return unionOf(Object.values(reply).map((shape) => typeOf(written(shape), 2)))
}

/** What a route says about its callers. A flag that depends on the body counts: the call may be refused. */
const flags = ['reads', 'leaves', 'isSensitive', 'isForPersons', 'needsConfirmation']

const flagsOf = (route: Route): string[] => flags.filter((flag) => Boolean(new Map(Object.entries(route)).get(flag)))
