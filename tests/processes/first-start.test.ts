import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { firstStart } from '../../src/app/first-start.ts'
import { systemClock } from '../../src/core/clock.ts'
import { encodeId, type ProjectId } from '../../src/core/ids.ts'
import { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'
import { freshDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { Client } from '../support/client.ts'
import { launchPosthouse, startPosthouse, testDirectory } from '../support/posthouse-process.ts'

test('the first start says what it does and where it is, with two keys and a first mail that arrives; later starts show no key', async () => {
  const first = await startPosthouse()
  const { workspace, project, projectId } = first.keys
  expect(first.stdout).toMatch(/^Creating the database \(once\) …\n/)
  const block = first.stdout.slice(first.stdout.indexOf('Posthouse '))
  const expected = [
    /^Posthouse \S+ is running\.$/,
    new RegExp(`^  API +${first.url}/api/v1$`),
    new RegExp(`^  Reference +${first.url}/docs$`),
    new RegExp(`^  Workspace +${workspace}$`),
    new RegExp(`^  Project +${project} +\\(${projectId}\\)$`),
    /^ {2}curl .*email\/send/,
    /^ {2}curl .*emails"/,
    /^ {2}Ctrl-C stops it\.$/,
  ]
  const found = expected.map((line) => block.split('\n').findIndex((text) => line.test(text)))
  expect(found).not.toContain(-1)
  expect(found).toEqual(found.toSorted((a, b) => a - b))
  expect(first.stderr).toBe('')

  const typed = block.split('\n')
  const send = typed.slice(found[5]!, found[5]! + 3).join('\n')
  expect(JSON.parse(shell(send))).toMatchObject({ id: expect.stringMatching(/^em_/), status: 'queued', projectId })
  await eventually('it is delivered', () => shell(typed[found[6]!]!).includes('"status":"delivered"'))
  const reference = await fetch(/Reference +(\S+)/.exec(block)![1]!)
  expect(reference.status).toBe(200)
  expect(await reference.text()).toContain('<h1>')
  const bound = await first.api.with(project).get<{ data: { id: string }[] }>('projects')
  expect(bound.body.data.map(({ id }) => id)).toEqual([projectId])
  // The database is our own: no operator has named it.
  const { body: installation } = await first.api.get<{ configuration: { variable: string; set: boolean }[] }>(
    'installation',
  )
  const databaseUrl = installation.configuration.find(({ variable }) => variable === 'DATABASE_URL')
  expect(databaseUrl).toMatchObject({ set: false, value: null })

  expect(await first.stop()).toEqual({ code: 0, signal: null })
  const second = await startPosthouse({ dataDir: first.dataDir, port: first.port })
  expect(second.stdout).not.toContain('ph_live_')
  expect(second.stdout).not.toContain('Creating')
  expect(second.stdout).toContain('npx posthouse keys create --workspace')
  expect((await first.api.get('projects')).status).toBe(200)
})

test('with FIRST_KEYS_FILE the first keys are in that file, for its owner only, and nowhere else', async () => {
  const file = join(testDirectory(), 'keys')
  writeFileSync(file, '')
  const refused = await launchPosthouse({ env: { FIRST_KEYS_FILE: file } })
  expect(await refused.refusal()).toMatch(
    /^The first keys cannot be written to .* \(EEXIST: .*\)\. Name a file in FIRST_KEYS_FILE .*\.\n$/,
  )
  rmSync(file)

  const node = await startPosthouse({ dataDir: refused.dataDir, env: { FIRST_KEYS_FILE: file } })
  expect(node.stdout).toContain(`Your keys are in ${file}, which only its owner can read.`)
  expect(node.output).not.toContain('ph_live_')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const keys = shell(`. ${file}; echo "$WORKSPACE_KEY" "$PROJECT_KEY" "$PROJECT_ID"`).trim().split(' ')
  expect(keys).toEqual([
    expect.stringMatching(/^ph_live_/),
    expect.stringMatching(/^ph_live_/),
    expect.stringMatching(/^prj_/),
  ])
  const seen = await new Client(node.url, keys[1]).get<{ data: { id: string }[] }>('projects')
  expect(seen.body.data.map(({ id }) => id)).toEqual([keys[2]])
  expect((await new Client(node.url, keys[0]).get('projects')).status).toBe(200)
}, 240_000)

/** A way to the database on which the first commit is lost, before it arrives or after it is done. */
async function lossyUrl(url: string, lost: 'commit' | 'answer'): Promise<string> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: url })
  let isLost = false
  const server = createServer((near) => {
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    let isCommitting = false
    const cut = (): void => {
      isLost = true
      for (const end of [near, far]) end.destroy()
    }
    near.on('data', (chunk) => {
      isCommitting ||= !isLost && chunk.includes('commit\0')
      if (isCommitting && lost === 'commit') cut()
      else far.write(chunk)
    })
    far.on('data', (chunk) => (isCommitting ? cut() : near.write(chunk)))
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const)
      end.on('error', () => {}).on('close', () => other.destroy())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port: lossyPort } = server.address() as AddressInfo
  return `postgres://${user}:${password}@127.0.0.1:${lossyPort}/${database}?sslmode=disable`
}

test.each(['commit', 'answer'] as const)(
  'a first start whose %s was lost gives keys that exist, in the file as well',
  async (lost) => {
    const { url, db, drop } = await freshDatabase()
    onTestFinished(drop)
    const lossy = new Database({ url: await lossyUrl(url, lost), name: 'test', connections: 2 })
    onTestFinished(() => lossy.close())
    const file = join(testDirectory(), 'keys')
    const { projectId } = (await firstStart(lossy, systemClock, file, { random: Math.random }))!
    const [project, ...others] = await db.all(sql<{ id: ProjectId }>`select id from projects`)
    expect(others).toEqual([])
    expect(projectId).toBe(encodeId('prj', project!.id))
    expect(readFileSync(file, 'utf8')).toContain(`PROJECT_ID=${projectId}\n`)
  },
)

function shell(command: string): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command}: ${stderr}`)
  return stdout
}
