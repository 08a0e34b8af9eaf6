import fc from 'fast-check'
import type { Operation } from '../document.ts'
import { Existing, valueFor } from './values.ts'

export type Who = 'workspace' | 'project' | 'narrow' | 'nobody' | 'owner' | 'author'

/** A request before it is sent. Where it was spoiled, `spoiled` says how. */
export interface Plan {
  who: Who
  method: string
  /** As in the document, with `{id}`. */
  path: string
  params: Readonly<Record<string, unknown>>
  query: readonly (readonly [name: string, value: unknown])[]
  headers: Readonly<Record<string, unknown>>
  body: unknown
  /** Instead of the body: bytes that need not be JSON. */
  raw: string | Buffer | undefined
  /** Instead of the path and query. */
  url: string | undefined
  spoiled: readonly string[]
}

const callers: fc.Arbitrary<Who> = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Who>('workspace') },
  { weight: 4, arbitrary: fc.constant<Who>('project') },
  { weight: 1, arbitrary: fc.constant<Who>('narrow') },
  { weight: 1, arbitrary: fc.constant<Who>('nobody') },
  { weight: 7, arbitrary: fc.constant<Who>('owner') },
  { weight: 2, arbitrary: fc.constant<Who>('author') },
)

/** A request that the document allows. */
export function planFor({ method, path, parameters, body, uploads }: Operation): fc.Arbitrary<Plan> {
  const fieldsIn = (place: string) => {
    const found = parameters.filter((parameter) => parameter.in === place)
    const fields = Object.fromEntries(found.map(({ name, schema }) => [name, valueFor(schema, name)]))
    const required = found.filter((parameter) => parameter.required).map(({ name }) => name)
    return fc.record(fields, { requiredKeys: required as never[] }) as fc.Arbitrary<Record<string, unknown>>
  }
  const seldom = (headers: fc.Arbitrary<Record<string, unknown>>) =>
    fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers })
  // A workspace key that names no project is refused at the door.
  const needed = parameters.filter(({ description }) => description?.startsWith('Needed with a workspace key'))
  const projects = fc.constant(Object.fromEntries(needed.map(({ name }) => [name, new Existing('home', 0)])))
  const required = parameters.filter((parameter) => parameter.in === 'header' && parameter.required)
  const keys = fc.record(Object.fromEntries(required.map(({ name }) => [name, fc.uuid()])))
  const home = fc.tuple(projects, keys).map(([project, key]) => ({ ...project, ...key }))
  const usual = fc.oneof({ weight: 2, arbitrary: home }, { weight: 1, arbitrary: seldom(fieldsIn('header')) })
  const headers = needed.length > 0 ? usual : seldom(fieldsIn('header'))
  const file = uploads.length === 0 ? fc.constant(undefined) : fc.constantFrom(...uploads)
  const plan = fc.record({
    who: callers,
    method: fc.constant(method),
    path: fc.constant(path),
    params: fieldsIn('path'),
    query: fieldsIn('query').map((fields) => Object.entries(fields)),
    headers,
    body: body === undefined ? fc.constant(undefined) : valueFor(body),
    raw: fc.constant(undefined),
    url: fc.constant(undefined),
    spoiled: fc.constant([]),
  })
  return fc.tuple(plan, file).map(([plain, type]) => {
    if (type === undefined) return plain
    return { ...plain, headers: { ...plain.headers, 'content-type': type }, raw: files[type] }
  })
}

/** The least of each kind that can be read. */
const files: Readonly<Record<string, string>> = {
  'text/csv': 'email,colour\nperson0@simulator.posthouse.test,red\nnobody,red\n',
  'application/x-ndjson': '{"email":"person0@simulator.posthouse.test"}\n{}\n',
}
