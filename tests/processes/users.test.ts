import { spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  linkSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { chownTree, prepareDataDirectory } from '../../src/embedded-postgres/data-directory.ts'
import { startEmbedded } from '../../src/embedded-postgres/server.ts'
import { locateBinaries } from '../../src/embedded-postgres/binaries.ts'
import { launchPostmaster } from '../../src/embedded-postgres/postmaster.ts'
import { Client } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import {
  removeDataDirectory,
  startPosthouse,
  superuserUrl,
  temporaryDirectory,
  testDirectory,
  type PosthouseProcess,
} from '../support/posthouse-process.ts'

const NOBODY = 65534
const isRoot = process.getuid!() === 0
/** Each of these starts whole nodes, some of them twice. */
const PATIENCE = { timeout: 240_000 }

/** What a session with this address is told. */
async function ask(connectionString: string, question: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  return client
    .query(question)
    .then(({ rows }) => rows as Record<string, unknown>[])
    .finally(() => client.end())
}

const withoutPassword = (url: string): string => url.replace(/:[^:@/]*@/, '@')

const as = (key: string, { url }: PosthouseProcess): Client => new Client(url, key)

/** The user of a process, as the kernel sees it: real, effective, saved, for files. */
function usersOf(pid: number): number[] {
  const [, ids] = /^Uid:\s*(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return ids!.split(/\s+/).map(Number)
}

test(
  'nobody gets into the embedded database without its password, which only its owner can read',
  PATIENCE,
  async () => {
    const node = await startPosthouse()
    const url = superuserUrl(node.dataDir)
    await expect(ask(withoutPassword(url), 'select 1')).rejects.toThrow(/password/)
    await expect(ask(url.replace(/:[^:@/]*@/, ':wrong@'), 'select 1')).rejects.toThrow(/password authentication failed/)
    expect(await ask(url, 'select rolsuper from pg_roles where rolname = current_user')).toEqual([{ rolsuper: true }])
    expect(statSync(join(node.dataDir, 'pgpass')).mode & 0o777).toBe(0o600)
  },
)

test('what the application does, it does as a user that may do nothing on the server', PATIENCE, async () => {
  const node = await startPosthouse()
  const url = superuserUrl(node.dataDir)
  const sessions = `select distinct rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls
                      from pg_stat_activity join pg_roles on rolname = usename
                     where application_name like 'posthouse %'`
  const nothing = {
    rolsuper: false,
    rolcreatedb: false,
    rolcreaterole: false,
    rolreplication: false,
    rolbypassrls: false,
  }
  expect(await ask(url, sessions)).toEqual([nothing])
})

test(
  'database and roles run as the one user that the data directory belongs to, who is neither root nor nobody',
  PATIENCE,
  async () => {
    const node = await startPosthouse()
    const { uid } = statSync(node.dataDir)
    expect([0, NOBODY]).not.toContain(uid)
    expect(everybodyIn(node)).toEqual(node.rolesStayRoot ? [uid, 0] : [uid])
    const names = ['postgres', 'pgpass', 'master.key', 'journal']
    expect(names.map((name) => statSync(join(node.dataDir, name)).uid)).toEqual(names.map(() => uid))
  },
)

test(
  'where that user cannot reach the files, the roles stay who we are, and the log says so at every start',
  PATIENCE,
  async () => {
    const closed = testDirectory()
    const node = await startPosthouse({ dataDir: join(closed, 'data') })
    onTestFinished(() => removeDataDirectory(node.dataDir))
    const roles = node.rolePids().flatMap(usersOf)
    expect(new Set(roles)).toEqual(new Set([process.getuid!()]))
    if (isRoot) await eventually('it is said', () => node.rolesStayRoot)
    else expect(node.rolesStayRoot).toBe(false)
    expect((await node.api.get('projects')).status).toBe(200)
  },
)

/** What version 0.1 leaves behind: everything is a superuser's, who needs no password, and as root the files are nobody's. */
async function oldInstallation(): Promise<{ dataDir: string; key: string }> {
  const dataDir = temporaryDirectory()
  onTestFinished(() => removeDataDirectory(dataDir))
  const node = await startPosthouse({ dataDir })
  const key = node.keys.workspace
  await ask(
    superuserUrl(dataDir),
    'alter database posthouse owner to posthouse; reassign owned by posthouse_app to posthouse',
  )
  await node.stop()
  const cluster = join(dataDir, 'postgres')
  writeFileSync(join(cluster, 'pg_hba.conf'), 'local all all trust\n')
  rmSync(join(dataDir, 'pgpass'))
  if (isRoot) {
    chownTree(cluster, old!)
    for (const name of readdirSync(dataDir)) if (name !== 'postgres') chownTree(join(dataDir, name), { uid: 0, gid: 0 })
    chownSync(dataDir, 0, 0)
  }
  return { dataDir, key }
}

const old = isRoot ? { uid: NOBODY, gid: NOBODY } : undefined

test.each([
  ['was stopped', false],
  ['crashed, with its database still running', true],
])(
  'an installation of version 0.1 that %s is closed to others by the next start, with everything in it',
  PATIENCE,
  async (_, isRunning) => {
    const { dataDir, key } = await oldInstallation()
    const cluster = join(dataDir, 'postgres')
    const binaries = locateBinaries()
    const postmaster = isRunning ? launchPostmaster(cluster, old, binaries, []) : undefined
    if (isRunning) await eventually('it serves', () => existsSync(join(cluster, '.s.PGSQL.5432')))
    const node = await startPosthouse({ dataDir })
    expect(node.postmasterPid() === postmaster).toBe(isRunning && !isRoot)
    expect((await as(key, node).get('projects')).status).toBe(200)
    expect((await as(key, node).post('projects', { name: 'after' })).status).toBe(201)
    const url = superuserUrl(dataDir)
    await expect(ask(withoutPassword(url), 'select 1')).rejects.toThrow(/password/)
    const foreign = `select relname from pg_class join pg_roles on pg_roles.oid = relowner
                    where relnamespace::regnamespace::text !~ '^(pg_|information_schema)' and rolname <> 'posthouse_app'`
    expect(await ask(url, foreign)).toEqual([])
    const { uid } = statSync(dataDir)
    expect([0, NOBODY]).not.toContain(uid)
    expect(everybodyIn(node)).toEqual(node.rolesStayRoot ? [uid, 0] : [uid])
    await node.stop()
    const again = await startPosthouse({ dataDir })
    expect((await as(key, again).get('projects')).status).toBe(200)
  },
)

test('passwords that are lost are made anew by whoever owns the files', PATIENCE, async () => {
  const node = await startPosthouse()
  const key = node.keys.workspace
  const before = readFileSync(join(node.dataDir, 'pgpass'), 'utf8')
  await node.stop()
  rmSync(join(node.dataDir, 'pgpass'))
  const again = await node.again()
  expect((await as(key, again).get('projects')).status).toBe(200)
  expect(readFileSync(join(node.dataDir, 'pgpass'), 'utf8')).not.toBe(before)
  await expect(ask(withoutPassword(superuserUrl(node.dataDir)), 'select 1')).rejects.toThrow(/password/)
})

/** A data directory with this in it, whose owner is root. */
function directoryWith(...names: string[]): string {
  const dataDir = testDirectory()
  for (const name of names) writeFileSync(join(dataDir, name), '')
  return dataDir
}

const ownersIn = (dataDir: string, names: readonly string[]): number[] =>
  names.map((name) => statSync(join(dataDir, name)).uid)

test.runIf(isRoot)('a data directory behind a link stays with its owner', () => {
  const dataDir = directoryWith('master.key')
  chownSync(dataDir, 4_711, 4_712)
  const link = join(testDirectory(), 'data')
  symlinkSync(dataDir, link)
  expect(prepareDataDirectory(link)).toEqual({ uid: 4_711, gid: 4_712 })
  expect(ownersIn(dataDir, ['.', 'master.key'])).toEqual([4_711, 4_711])
})

test.runIf(isRoot)('a directory that holds something else is not given away', () => {
  const dataDir = directoryWith('master.key', '.bashrc')
  prepareDataDirectory(dataDir)
  expect(ownersIn(dataDir, ['.', 'master.key'])).toEqual([0, 0])
  rmSync(join(dataDir, '.bashrc'))
  const { uid } = prepareDataDirectory(dataDir)!
  expect(ownersIn(dataDir, ['.', 'master.key'])).toEqual([uid, uid])
})

test.runIf(isRoot)('what another start is about to make, and files with a second name, are not given away', () => {
  const dataDir = directoryWith('postgres.new.1', 'pgpass', 'postgres.log', 'postgres.log.1')
  const elsewhere = join(directoryWith('shadow'), 'shadow')
  linkSync(elsewhere, join(dataDir, 'master.key'))
  const { uid } = prepareDataDirectory(dataDir)!
  expect(ownersIn(dataDir, ['postgres.new.1', 'master.key'])).toEqual([0, 0])
  expect(ownersIn(dataDir, ['pgpass', 'postgres.log', 'postgres.log.1'])).toEqual([uid, uid, uid])
})

test.runIf(isRoot)(
  'a database behind a link of root is given away too, and one behind a link of others is not',
  PATIENCE,
  async () => {
    const dataDir = temporaryDirectory()
    onTestFinished(() => removeDataDirectory(dataDir))
    await (await startEmbedded({ dataDir })).stop()
    const [cluster, elsewhere] = [join(dataDir, 'postgres'), join(testDirectory(), 'cluster')]
    renameSync(cluster, elsewhere)
    symlinkSync(elsewhere, cluster)
    chownTree(elsewhere, old!)
    lchownSync(cluster, NOBODY, NOBODY)
    await expect(startEmbedded({ dataDir })).rejects.toThrow(/postgres is a link that root has not made/)
    lchownSync(cluster, 0, 0)
    const { superuserUrl: url, stop } = await startEmbedded({ dataDir })
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(statSync(elsewhere).uid).toBe(statSync(dataDir).uid)
    await stop()
  },
)

test.runIf(isRoot)('whoever is not root needs no right to the group of his database', () => {
  const dataDir = testDirectory()
  const cluster = join(dataDir, 'postgres')
  mkdirSync(cluster)
  for (const path of [dataDir, cluster]) chownSync(path, 4_711, 4_712)
  const source = new URL('../../src/embedded-postgres/access.ts', import.meta.url)
  const program = `const { Access } = await import('${source}'); new Access('${cluster}', '${cluster}')`
  const options = { uid: 4_711, gid: 4_711, cwd: dataDir, env: {}, encoding: 'utf8' as const }
  expect(spawnSync(process.execPath, ['--input-type=module', '-e', program], options).stderr).toBe('')
  expect(readdirSync(dataDir)).toEqual(['pgpass', 'postgres'])
})

/** Whom the database and the roles run as. */
const everybodyIn = (node: PosthouseProcess): number[] => [
  ...new Set([node.postmasterPid()!, ...node.rolePids()].flatMap(usersOf)),
]
