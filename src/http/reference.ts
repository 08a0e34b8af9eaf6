import { readFileSync } from 'node:fs'
import { keySecretPrefix } from '../core/key-secret.ts'
import { IDEMPOTENCY_HEADER } from './idempotency.ts'
import { PROJECT_HEADER } from './project-context.ts'

/** As much of JSON Schema as our shapes use. */
interface Schema extends Partial<Record<`${'min' | 'max'}${'Length' | 'Items' | 'imum'}`, number>> {
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  patternProperties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  format?: string
  pattern?: string
}

type Content = Record<string, { schema: Schema }>
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema }

interface Operation {
  method: string
  path: string
  url: string
  operationId: string
  summary: string
  tags: string[]
  security: unknown[]
  'x-required-scope'?: string
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
}

interface Document {
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: { Error: Schema }; securitySchemes: { key: { description: string } } }
}

/** The API reference at `/docs`: one page of plain HTML made from the OpenAPI document, without a script. */
export function referencePage(document: Record<string, unknown>): string {
  // The document is untyped; here, and only here, it gets its shape.
  const { info, servers, paths, components } = document as unknown as Document
  // The page cannot know under which name its reader reached it.
  const base = new URL(servers[0]?.url ?? '', 'http://localhost:3000').href.replace(/\/$/, '')
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, found]) => ({ ...found, method, path, url: base + path })),
  )
  const chapters = introduction(operations, components)
  const groups = [...Map.groupBy(operations, ({ tags }) => tags[0] ?? '')]
  return markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} API reference</title>
<style>${new Markup(readFileSync(new URL('reference.css', import.meta.url), 'utf8'))}</style>
<a class="skip" href="#main">Skip to the reference</a>
<nav id="contents" aria-label="Contents"><details><summary>${info.title} <small>API ${info.version}</small></summary>
<ul>${chapters.map(([title]) => markup`<li><a href="#${title.toLowerCase()}">${title}</a></li>`)}</ul>
${groups.map(([tag, members]) => markup`<h2>${titleOf(tag)}</h2>\n<ul>${members.map(navLink)}</ul>\n`)}
</details></nav>
<main id="main">
<header><h1>${info.title} API</h1>${prose(info.description)}
<p>Base URL: <code>${base}</code><br>For machines: <a href="/openapi.json">OpenAPI 3.1</a></p></header>
${chapters.map(([title, text, code]) => section(title.toLowerCase(), markup`<h2>${title}</h2>${text}`, code))}
${groups.map(([tag, members]) => markup`<h2 class="group">${titleOf(tag)}</h2>\n${members.map(entry)}`)}
</main>
<a class="up" href="#contents">Contents</a>
</html>
`.text
}

type Chapter = [title: string, text: Markup, code: Markup]

/** What holds for many operations, told once; what holds for none is left out. */
function introduction(all: Operation[], { schemas, securitySchemes }: Document['components']): Chapter[] {
  const simple = all.find(({ security, method, path }) => security.length > 0 && method === 'get' && !path.includes('{'))
  const paged = all.find((each) => parameter(each, 'cursor'))
  const local = all.find(isProjectLocal)
  const repeatable = all.filter((each) => parameter(each, IDEMPOTENCY_HEADER))
  const refusals = new Map(all.flatMap(refusalsOf).map((each) => [each.code, each]))
  const chapters: (Chapter | undefined)[] = [
    [
      'Authentication',
      markup`<p>Send an API key as a bearer token. A key carries scopes; each operation below names the one it requires.</p>
<details><summary>Scopes</summary>${prose(securitySchemes.key.description)}</details>`,
      figure('A first request', `export POSTHOUSE_KEY=${keySecretPrefix}…\n${simple ? curl(simple) : ''}`),
    ],
    [
      'Errors',
      markup`<p>Every refusal has this shape, with further fields where they help. Branch on <code>code</code>; what a code
means never changes.</p>${shape(schemas.Error, 'response')}${refusalTable('All error codes', [...refusals.values()])}`,
      figure('A refusal', json({ ...Object(sample(schemas.Error, '', 'response')), code: 'validation_error' })),
    ],
    paged && [
      'Pagination',
      markup`<p>A list answers one page. While <code>hasMore</code> is true, pass <code>nextCursor</code> as
<code>cursor</code> to get the next.</p>${parameterTable([parameter(paged, 'limit'), parameter(paged, 'cursor')])}`,
      figure('The next page', curl(paged, { query: `?cursor=${words.get('nextCursor')}` })),
    ],
    local && [
      'Projects',
      markup`<p>A key that is bound to a project acts in that project. With a workspace key, operations inside a project
need <code>${PROJECT_HEADER}</code>.</p><p>The examples take the id from <code>$POSTHOUSE_PROJECT</code>; while it is unset,
curl sends no such header.</p>`,
      figure('With a workspace key', `export POSTHOUSE_PROJECT=${idSample('prj')}\n${curl(local)}`),
    ],
    repeatable[0] && [
      'Idempotency',
      markup`${parameterTable([parameter(repeatable[0], IDEMPOTENCY_HEADER)])}<p>Honoured by:</p>
<ul>${repeatable.map(navLink)}</ul>`,
      figure('A request that is safe to repeat', curl(repeatable[0], { header: `${IDEMPOTENCY_HEADER}: welcome-ada-1` })),
    ],
  ]
  return chapters.filter((each) => each !== undefined)
}

const parameter = ({ parameters }: Operation, name: string): Parameter | undefined =>
  parameters?.find((each) => each.name === name)

const isProjectLocal = (operation: Operation): boolean =>
  refusalsOf(operation).some(({ code }) => code === 'project_required')

/** `api-keys` → `API keys`. */
const titleOf = (tag: string): string =>
  tag.replaceAll('-', ' ').replace(/^(api|sms)\b|^./, (start) => start.toUpperCase())

const navLink = ({ operationId, method, path }: Operation): Markup =>
  markup`<li><a href="#${operationId}">${badge(method)}<code>${path}</code></a></li>\n`

const badge = (method: string): Markup => markup`<b class="${method}">${method.toUpperCase()}</b> `

const section = (id: string, text: Markup, code: Markup): Markup =>
  markup`<section id="${id}">\n<div>${text}</div>\n<div class="code">${code}</div>\n</section>\n`

function entry(operation: Operation): Markup {
  const { operationId, method, path, summary, parameters = [], requestBody } = operation
  const scope = operation['x-required-scope']
  const replies = repliesOf(operation)
  return section(
    operationId,
    markup`<h3><a href="#${operationId}">${summary.replace(/\.$/, '')}</a></h3>
<p class="path">${badge(method)}<code>${path}</code></p>
<p class="scope">${scope === undefined ? 'No key needed' : markup`Scope <code>${scope}</code>`}</p>
${parameters.length > 0 && markup`<h4>Parameters</h4>\n${parameterTable(parameters)}`}
${requestBody && message('Body', requestBody.content, 'request')}
${replies.map(({ status, content }) => message(`Response ${status}`, content, 'response'))}
${refusalTable('Errors', refusalsOf(operation))}`,
    markup`${figure('Request', curl(operation))}${replies.map(({ status, content }) => exampleReply(status, content))}`,
  )
}

/** Successes by shape: two statuses that answer alike are told together. */
function repliesOf({ responses }: Operation): { status: string; content: Content }[] {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const alike = Map.groupBy(successes, ([, { content }]) => JSON.stringify(content))
  return [...alike.values()].map((same) => ({
    status: same.map(([status]) => status).join(' or '),
    content: same[0]?.[1].content ?? {},
  }))
}

const parameterTable = (parameters: (Parameter | undefined)[]): Markup => markup`<table>
<thead><tr><th scope="col">Name<th scope="col">In<th scope="col">Value</thead>
<tbody>${parameters.map(
  (each) =>
    each &&
    markup`<tr><th scope="row"><code>${each.name}</code><td>${each.in}<td>${traits(each.schema)} ${each.required && required}
${prose(each.description ?? each.schema.description ?? '')}${values(each.schema)}\n`,
)}</tbody></table>\n`

const required = markup`<strong>required</strong>`

function message(title: string, content: Content, side: Side): Markup {
  const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(content)
  const isPlain = type === JSON_TYPE && schema.type === 'object'
  return markup`<h4>${title}</h4>
${!isPlain && markup`<p>${type !== JSON_TYPE && markup`<code>${type}</code> `}${traits(schema)}</p>`}${shape(schema, side)}`
}

function refusalsOf({ responses }: Operation): { status: string; code: string; meaning: string }[] {
  const failures = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  return failures.flatMap(([status, { description }]) =>
    description.split('\n\n').map((line) => {
      const [, code = '', meaning = line] = /^`(\w+)`: (.*)$/s.exec(line) ?? []
      return { status, code, meaning }
    }),
  )
}
