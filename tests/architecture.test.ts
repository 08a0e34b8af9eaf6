import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findings, mayUse, resourceOrder } from './support/module-rules.ts'
import { importsOf, loadedWith, readSources } from './support/source-tree.ts'

const root = new URL('..', import.meta.url).pathname

test('every import keeps the rules', () => {
  const tree = readSources(root, ['src', 'packages/sdk/src', 'portal/src', 'tests'])
  expect(tree.size).toBeGreaterThan(60)
  expect(findings(tree)).toEqual([])
})

test.each(['worker', 'inbound', 'supervisor', 'first-start'])(
  'only the API loads HTTP and the library of shapes: %s',
  (role) => {
    const loaded = loadedWith(readSources(root, ['src']), `src/app/${role}.ts`)
    expect(loaded).toContain('pg')
    expect([...loaded].filter((path) => /^(src\/http\/|typebox|fastify|prom-client)/.test(path))).toEqual([])
  },
)

test('every file that a document names is there', () => {
  const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).filter((page) => page !== 'CHANGELOG.md')
  const named = pages.flatMap((page) =>
    [
      ...readFileSync(join(root, page), 'utf8').matchAll(
        /\b(?:src|tests|scripts|bench|packages|portal)\/[\w./-]+\.(?:tsx?|mjs|sql)\b/g,
      ),
    ].map(([path]) => ({ page, path })),
  )
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([])
})

test('the table of modules is itself without circles, and so is the order of resources', () => {
  const settled = new Set<string>()
  const modules = Object.entries(mayUse)
  for (let round = 0; round < modules.length; round++) {
    for (const [module, used] of modules) if (used.every((other) => settled.has(other))) settled.add(module)
  }
  expect([...settled].toSorted()).toEqual(Object.keys(mayUse).toSorted())
  expect(new Set(resourceOrder).size).toBe(resourceOrder.length)
})

test('every way to write an import is seen', () => {
  const text = `
    import type { A } from './a.ts'
    import b, {
      type B,
    } from "../b.ts"
    import * as c from './c.ts'
    export { d } from './d.ts'
    export * from './e.ts'
    import './f.ts'
    const g = await import('./g.ts')
    function h(socket: import('./h.ts').Socket) {}
    // import './comment.ts'
    /* import './remark.ts' */
    const text = "from './string.ts'"
    export interface Shape { kind: 'word' }
  `
  expect(importsOf('src/core/x.ts', text).map(({ target }) => target)).toEqual(
    'src/core/a src/b src/core/c src/core/d src/core/e src/core/f src/core/g src/core/h'
      .split(' ')
      .map((path) => `${path}.ts`),
  )
})

/** One made-up file per rule; the finding must name the reason, not just exist. */
const offences: [rule: string, path: string, text: string, finding: RegExp][] = [
  [
    'a lower module that looks up',
    'src/core/a.ts',
    `import type { B } from '../storage/b.ts'`,
    /core may not use storage/,
  ],
  ['a package in core', 'src/core/a.ts', `import Type from 'typebox'`, /no I\/O and no packages/],
  ['I/O in core', 'src/core/a.ts', `import { readFileSync } from 'node:fs'`, /no I\/O and no packages/],
  ['a module that the table lacks', 'src/billing/a.ts', `export const a = 1`, /a module that the table does not know/],
  ['a way out of src', 'src/http/a.ts', `import { world } from '../../tests/support/world.ts'`, /outside of src/],
  ['http that knows a resource', 'src/http/a.ts', `import { Keys } from '../resources/keys/index.ts'`, /http may not/],
  ['a module loaded while running', 'src/mail/a.ts', `await import('../dispatch/b.ts')`, /mail may not use dispatch/],
  ['an import without a name', 'src/app/a.ts', 'await import(`./${name}.ts`)', /named only while running/],
  [
    'a back door',
    'src/delivery/mail/a.ts',
    `import { x } from '../../resources/emails/service.ts'`,
    /by their index\.ts/,
  ],
  ['a back door from app', 'src/app/a.ts', `import { x } from '../resources/keys/service.ts'`, /by their index\.ts/],
  ['a resource before its time', 'src/resources/keys/service.ts', `import '../emails/index.ts'`, /comes after keys/],
  ['a neighbour by the back door', 'src/resources/keys/a.ts', `import '../projects/store.ts'`, /by their index\.ts/],
  ['a part by the back door', 'src/resources/receiving/a.ts', `import './intake/store.ts'`, /by their index\.ts/],
  [
    'a part that loads its resource',
    'src/resources/receiving/intake/a.ts',
    `import '../index.ts'`,
    /receiving comes after receiving\/intake/,
  ],
  [
    'an SMTP process that loads more',
    'src/app/inbound.ts',
    `import '../resources/receiving/index.ts'`,
    /loads receiving\/intake and no other/,
  ],
  ['a resource without a place', 'src/resources/bills/service.ts', `import '../../core/a.ts'`, /no place in the order/],
  [
    'a route that skips the service',
    'src/resources/keys/routes.ts',
    `import './store.ts'`,
    /routes may not use a store/,
  ],
  [
    'a store that knows the rules',
    'src/resources/keys/store.ts',
    `import './service.ts'`,
    /store may not use a service/,
  ],
  ['a store that publishes', 'src/resources/keys/store.ts', `import '../../events/a.ts'`, /store may not use events/],
  [
    'a service that answers',
    'src/resources/keys/service.ts',
    `import '../../http/route.ts'`,
    /service may not use http/,
  ],
  ['a shape that answers', 'src/resources/keys/schema.ts', `import '../../http/route.ts'`, /schema may not use http/],
  ['a store with neighbours', 'src/resources/keys/store.ts', `import '../projects/index.ts'`, /no other resource/],
  ['a shape with a service', 'src/resources/keys/schema.ts', `import './service.ts'`, /schema may not use a service/],
  [
    'an index that knows routes',
    'src/resources/keys/index.ts',
    `export * from './routes.ts'`,
    /index may not use a routes/,
  ],
  ['a service that knows routes', 'src/resources/keys/x.ts', `import './routes.ts'`, /service may not use a routes/],
  ['configuration outside app', 'src/storage/a.ts', `import '../config/load.ts'`, /storage may not use config/],
  ['the environment outside app', 'src/mail/a.ts', `const home = process.env['HOME']`, /reads the environment/],
  ['the environment by import', 'src/mail/a.ts', `import { env } from 'node:process'`, /reads the environment/],
  ['a command that skips app', 'src/cli/a.ts', `import '../storage/sql.ts'`, /cli may not use storage/],
  ['a default export', 'src/http/a.ts', `export default class A {}`, /default export/],
  ['a default export in braces', 'src/http/a.ts', `export { a as default }`, /default export/],
  ['the sql tag', 'src/app/a.ts', `import { sql } from '../storage/sql.ts'`, /has SQL/],
  ['the sql tag in a service', 'src/resources/keys/a.ts', `import { sql } from '../../storage/sql.ts'`, /has SQL/],
  ['a driver', 'src/http/a.ts', `import pg from 'pg'`, /has SQL/],
  ['a statement on a client', 'src/app/a.ts', `await client.query('select 1')`, /has SQL/],
  ['a very long file', 'src/http/a.ts', 'const a = 1\n'.repeat(401), /401 lines/],
  ['a very long test', 'tests/api/a.test.ts', 'const a = 1\n'.repeat(401), /401 lines/],
  ['a file that says nothing', 'src/http/string-utils.ts', '', /named utils/],
  ['a folder that says nothing', 'src/http/common/a.ts', '', /named common/],
  ['a test that says nothing', 'tests/support/helpers.ts', '', /named helpers/],
  [
    'a client that knows the server',
    'packages/sdk/src/a.ts',
    `import '../../../src/core/ids.ts'`,
    /sdk may not use core/,
  ],
  ['a client that needs something', 'packages/sdk/src/a.ts', `import { x } from 'undici'`, /has no dependencies/],
  [
    'a portal that knows the server',
    'portal/src/pages/keys/list.tsx',
    `import type { Scope } from '../../../../src/core/scopes.ts'`,
    /portal may not use core/,
  ],
  [
    'a page with a program to copy that knows the server',
    'portal/src/pages/send/as-call.tsx',
    `import '../../../../src/core/ids.ts'\nconst program = 'process.env.KEY'`,
    /portal may not use core/,
  ],
  ['a portal that is no page', 'portal/src/kit/a.tsx', `import { join } from 'node:path'`, /runs in browsers/],
  [
    'a server that knows the portal',
    'src/http/a.ts',
    `import '../../portal/src/routes.tsx'`,
    /http may not use portal/,
  ],
]

test.each(offences)('%s is found', (_rule, path, text, finding) => {
  const found = findings(new Map([[path, text]]))
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(finding)
  expect(found[0]).toContain(path)
})

test('a circle of types is a circle', () => {
  const circle = findings(
    new Map([
      ['src/core/a.ts', `import type { B } from './b.ts'`],
      ['src/core/b.ts', `export { C } from './c.ts'`],
      ['src/core/c.ts', `import './a.ts'`],
      ['src/core/d.ts', `import './a.ts'`],
    ]),
  )
  expect(circle).toEqual(['src/core/a.ts → src/core/b.ts → src/core/c.ts → src/core/a.ts is a circle'])
})

test('what the table allows is not found', () => {
  const allowed = findings(
    new Map([
      ['src/main.ts', `await import('./cli/start.ts')\nprocess.env['A'] ??= 'b'`],
      ['src/cli/start.ts', `import '../app/a.ts'\nimport type { Config } from '../config/load.ts'`],
      ['src/app/a.ts', `import '../resources/emails/index.ts'\nimport '../config/load.ts'\nimport '../storage/c.ts'`],
      ['src/config/load.ts', `import ipaddr from 'ipaddr.js'\nimport '../core/errors.ts'`],
      ['src/http/store.ts', `import { sql } from '../storage/sql.ts'`],
      ['src/dispatch/queue.ts', `await client.query('listen x')`],
      ['src/http/route.ts', `import type { Query } from '../storage/sql.ts'`],
      ['src/resources/emails/index.ts', `export { Emails } from './service.ts'`],
      [
        'src/resources/emails/routes.ts',
        `import '../../http/route.ts'\nimport './schema.ts'\nimport type { Emails } from './service.ts'`,
      ],
      ['src/resources/emails/service.ts', `import './store.ts'\nimport './outcome.ts'\nimport '../keys/index.ts'`],
      ['src/resources/emails/store.ts', `import '../../storage/sql.ts'\nimport './schema.ts'`],
      ['src/resources/receiving/a.ts', `import './intake/index.ts'`],
      ['src/resources/receiving/intake/store.ts', `import { sql } from '../../../storage/sql.ts'`],
      ['src/app/inbound.ts', `import '../resources/receiving/intake/index.ts'`],
      ['src/delivery/mail/deliver.ts', `import '../../resources/emails/index.ts'\nimport '../../dispatch/queue.ts'`],
      ['packages/sdk/src/client.ts', `import type { Operations } from './contract/index.ts'`],
      ['portal/src/kit/button.tsx', `import styles from './button.module.css'\nimport { call } from '@posthouse/sdk'`],
      ['tests/api/emails.test.ts', `import { sql } from '../../src/storage/sql.ts'\nexport default 1`],
    ]),
  )
  expect(allowed).toEqual([])
})
