import { readdirSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client } from '../support/client.ts'
import {
  freePort,
  launchPosthouse,
  PosthouseProcess,
  postmasterPid,
  removeDataDirectory,
  runPosthouse,
  superuserUrl,
  temporaryDirectory,
  testDirectory,
  type Finished,
} from '../support/posthouse-process.ts'
import { administer } from '../support/server.ts'

const dataDir = temporaryDirectory()
let node: PosthouseProcess

beforeAll(async () => {
  node = await new PosthouseProcess(await freePort(), { dataDir }).ready()
})
afterAll(async () => {
  await node.cleanUp()
  await removeDataDirectory(dataDir)
})

const posthouse = (...args: string[]): Promise<Finished> => runPosthouse(args, { dataDir })

/** The answer of a command that must succeed, as JSON. */
async function answer<T = Record<string, string>>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await posthouse(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as T
}

const statusWith = async (secret: string, path = 'projects'): Promise<number> =>
  (await new Client(node.url, secret).get(path)).status

test('without a command, or asked for help, it lists the commands; an unknown one is an error with the same list', async () => {
  const [nothing, help, unknown] = await Promise.all([posthouse(), posthouse('--help'), posthouse('brew', 'tea')])
  expect(nothing).toMatchObject({ code: 0, stderr: '' })
  for (const name of ['start', 'migrate', 'keys create', 'keys list', 'keys revoke', 'projects list', 'openapi']) {
    expect(nothing.stdout).toMatch(new RegExp(`^  ${name} +[A-Z]`, 'm'))
  }
  expect(help).toEqual(nothing)
  expect(unknown).toMatchObject({ code: 2, stdout: '' })
  expect(unknown.stderr).toBe(`There is no command "brew tea".\n\n${nothing.stdout}`)
})

test('a project is paused, limited, archived and restored', async () => {
  const { id } = await answer('projects', 'create', '--name', 'Kept in hand')
  expect(await answer('projects', 'pause', id!)).toMatchObject({ status: 'paused' })
  expect(await answer('projects', 'resume', id!)).toMatchObject({ status: 'active' })
  expect(await answer('projects', 'quota', id!, '--day', '100')).toMatchObject({
    quota: { emailsPerDay: 100, emailsPerMonth: null },
  })
  expect(await answer('projects', 'quota', id!, '--day', 'none', '--month', '9')).toMatchObject({
    quota: { emailsPerDay: null, emailsPerMonth: 9 },
  })
  expect(await answer('projects', 'archive', id!)).toMatchObject({ status: 'archived' })
  expect(await answer('projects', 'restore', id!)).toMatchObject({ status: 'active' })
  const [again, words, nothing] = await Promise.all([
    posthouse('projects', 'restore', id!),
    posthouse('projects', 'quota', id!, '--day', 'many'),
    posthouse('projects', 'quota', id!),
  ])
  expect(again).toMatchObject({ code: 1, stderr: 'Only an archived project can be restored; this one is active.\n' })
  expect([words.code, nothing.code]).toEqual([2, 2])
})

test('each command explains itself, and what it cannot understand gets exit code 2 and that explanation', async () => {
  const [help, option, twice, neither, scope] = await Promise.all([
    posthouse('keys', 'create', '--help'),
    posthouse('keys', 'create', '--workspce'),
    posthouse('keys', 'create', '--workspace', '--project', 'prj_x'),
    posthouse('keys', 'revoke', 'nonsense'),
    posthouse('keys', 'create', '--workspace', '--scopes', 'email:send,tea:brew'),
  ])
  expect(help).toMatchObject({ code: 0, stderr: '' })
  for (const word of ['--workspace', '--project <id>', '--scopes <list>', '--json', 'email:send']) {
    expect(help.stdout).toContain(word)
  }
  for (const { code, stdout } of [option, twice, neither, scope])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(option.stderr).toContain('--workspce')
  expect(option.stderr).toContain(help.stdout)
  expect(twice.stderr).toContain('Say --workspace or --project <id>.')
  expect(neither.stderr).toContain('"nonsense" is not the id of a key.')
  expect(scope.stderr).toContain('There is no scope "tea:brew".')
})

test('a key made beside a running node works at once, can do no more than it says, and is revoked at once', async () => {
  const key = await answer('keys', 'create', '--workspace', '--scopes', 'projects:read', '--name', 'reader')
  expect(key).toMatchObject({ name: 'reader', projectId: null, scopes: ['projects:read'] })
  expect(await statusWith(key['secret']!)).toBe(200)
  expect(await statusWith(key['secret']!, 'api-keys')).toBe(403)
  expect(await answer('keys', 'revoke', key['id']!)).toEqual({ id: key['id'], deleted: true })
  expect(await statusWith(key['secret']!)).toBe(401)
  expect((await answer<{ id: string }[]>('keys', 'list', '--revoked')).map(({ id }) => id)).toContain(key['id'])
})

test('a key that is revoked with all that it made says how many those are', async () => {
  const { id } = await answer('keys', 'create', '--workspace')
  const { stdout } = await posthouse('keys', 'revoke', id!, '--family')
  expect(stdout).toBe(`${id} is revoked. 1 key stopped working.\n`)
})

test('a project made beside a running node is listed, and a key for it sees that project only', async () => {
  const project = await answer('projects', 'create', '--name', 'Shop')
  const list = await posthouse('projects', 'list')
  expect(list.stdout).toMatch(new RegExp(`^ID +STATUS +NAME\n${project['id']} +active +Shop\n`))
  const key = await posthouse('keys', 'create', '--project', project['id']!)
  expect(key.stdout).toMatch(/^key_\w{26}\nph_live_\w+\n\nThe secret is shown this once\.\n$/)
  const secret = key.stdout.split('\n')[1]!
  const { body } = await new Client(node.url, secret).get<{ data: { id: string }[] }>('projects')
  expect(body.data.map(({ id }) => id)).toEqual([project['id']])
})

test('the list of keys shows no secret, neither as a table nor as JSON', async () => {
  const { workspace, project } = node.keys
  const [text, json] = [await posthouse('keys', 'list'), await posthouse('keys', 'list', '--json')]
  expect(text.stdout).toMatch(/^ID +ENDS IN +FOR +SCOPES +NAME\n/)
  for (const { stdout } of [text, json]) {
    expect(stdout).toContain(workspace.slice(-4))
    expect(stdout).toContain(node.keys.projectId)
    expect(stdout).not.toMatch(/ph_live_\w/)
    for (const secret of [workspace, project]) expect(stdout).not.toContain(secret.slice(8, -4))
  }
})

test('whatever others have written, a terminal is told nothing by it: neither in tables nor in JSON nor in refusals', async () => {
  // A new title for the window, a screen that is cleared in eight bits, text that runs backwards, a row of its own.
  const name = 'evil \u001b]0;x\u0007 \u009b2J \u007f \u202edaol \u2028 \t end'
  const key = await answer('keys', 'create', '--workspace', '--name', 'renamed')
  await answer('projects', 'create', '--name', 'renamed')
  // Most of it is refused where names are given; what is there already, however it came there, is printed.
  for (const table of ['api_keys', 'projects']) {
    await administer(
      superuserUrl(dataDir),
      `update ${table} set name = ${pg.escapeLiteral(name)} where name = 'renamed'`,
    )
  }
  const said = [
    await posthouse('keys', 'list'),
    await posthouse('keys', 'list', '--json'),
    await posthouse('projects', 'list'),
    await posthouse('keys', 'revoke', name),
    await posthouse(name),
  ].map(({ stdout, stderr }) => stdout + stderr)
  for (const text of said) {
    expect(text).not.toMatch(/[^\n\P{Cc}]|\p{Bidi_Control}|\u2028/u)
    expect(text).toContain('evil \\u001b]0;x\\u0007 \\u009b2J \\u007f \\u202edaol \\u2028 ')
  }
  const row = said[0]!.split('\n').find((line) => line.startsWith(key['id']!))
  expect(row).toMatch(/\\u0009 end$/)
  const keys = JSON.parse(said[1]!) as { name: string }[]
  expect(keys.map((each) => each.name)).toContain(name)
})

test('what is refused is said in a sentence for each problem, with exit code 1', async () => {
  const [project, past, revoked, name, many] = await Promise.all([
    posthouse('keys', 'create', '--project', 'prj_00000000000000000000000000'),
    posthouse('keys', 'create', '--workspace', '--expires', '2001-01-01T00:00:00Z'),
    posthouse('keys', 'revoke', 'key_00000000000000000000000000'),
    posthouse('projects', 'create', '--name', 'x'.repeat(300)),
    posthouse('keys', 'create', '--workspace', '--name', 'a\nb', '--expires', 'tomorrow'),
  ])
  expect(project).toEqual({ code: 1, stdout: '', stderr: 'There is no such project.\n' })
  expect(past).toEqual({ code: 1, stdout: '', stderr: 'The request is not valid: /expiresAt lies in the past.\n' })
  expect(revoked).toEqual({ code: 1, stdout: '', stderr: 'There is no such API key.\n' })
  expect(name).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^[^\n]*\/name [^\n]*\n$/) })
  expect(many).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/\/name .*\n.*\/expiresAt .*\n$/) })
})

test('the OpenAPI document is printed, and valid', async () => {
  const { code, stdout } = await posthouse('openapi')
  expect(code).toBe(0)
  const document = JSON.parse(stdout) as Record<string, unknown>
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true })
  const served = (await (await fetch(`${node.url}/openapi.json`)).json()) as typeof document
  // A running server tells where it is.
  expect(served).toEqual({ ...document, servers: served['servers'] })
  expect(served['servers']).toMatchObject([{ url: expect.stringContaining(`:${new URL(node.url).port}`) }])
})

test('the same commands work with the node stopped, several at once, and leave no database running', async () => {
  await node.stop()
  const made = await Promise.all([1, 2, 3].map((n) => answer('projects', 'create', '--name', `Quiet ${n}`)))
  expect(postmasterPid(dataDir)).toBeUndefined()
  const listed = await answer<{ id: string }[]>('projects', 'list')
  expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(made.map(({ id }) => id)))
  expect(await answer('migrate')).toEqual({ upToDate: true })
  expect(postmasterPid(dataDir)).toBeUndefined()
})

test('on an installation that was never started a look makes no database, and migrate makes one', async () => {
  const empty = testDirectory()
  expect(await runPosthouse(['keys', 'list'], { dataDir: empty })).toEqual({
    code: 1,
    stdout: '',
    stderr: `There is no installation in ${empty}: run "posthouse start" first, or name its place in DATA_DIR.\n`,
  })
  expect(readdirSync(empty)).toEqual([])
  const migrate = await launchPosthouse({ args: ['migrate'], dataDir: empty })
  expect(await migrate.ended).toEqual({ code: 0, signal: null })
  expect(migrate.stdout).toBe('The database is up to date.\n')
  expect(readdirSync(empty)).toContain('postgres')
  expect(postmasterPid(empty)).toBeUndefined()
})
