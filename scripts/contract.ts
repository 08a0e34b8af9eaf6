/** The types of every operation of the API for `packages/sdk`, printed from the route table itself. */
import { errorCatalogue } from '../src/core/errors.ts'
import { scopes } from '../src/core/scopes.ts'
import { Components } from '../src/http/openapi-components.ts'
import type { Route } from '../src/http/route.ts'
import { ErrorShape } from '../src/shapes/shapes.ts'
import { commentOf, fieldsOf, literal, nameOf, spaced, typeOf, unionOf, type Shape } from './type-printer.ts'

const NOTE = '// Made by `npm run generate`; change the routes and their schemas, not this file.\n'

/** `contract.ts`: an interface for every shape with a name, and `Operations` with an entry for every route. */
export function contractText(routes: readonly Route[]): string {
  const components = new Components()
  const written = (part: unknown): Shape => components.lift(part) as Shape
  written(ErrorShape)
  const operations = routes.map((route) => operationOf(route, written))
  const named = Object.entries(components.all('schemas')).filter(([name]) => !(name in catalogues))
  return [
    NOTE,
    ...Object.entries(catalogues).map(
      ([name, words]) => `export type ${name} =${spaced(unionOf(words.map(literal)))}\n`,
    ),
    ...named.map(([name, shape]) => declarationOf(nameOf(name), shape as Shape)),
    `/** Every operation of the API by its method and path. */\nexport interface Operations {\n${operations.join('')}}\n`,
  ].join('\n')
}

/** Words that shapes refer to by name, and that are catalogues in the code. */
const catalogues: Readonly<Record<string, readonly string[]>> = {
  Scope: scopes,
  ErrorCode: Object.keys(errorCatalogue),
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
