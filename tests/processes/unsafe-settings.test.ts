import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchPosthouse, startPosthouse } from '../support/posthouse-process.ts'
import { PrivateCluster } from '../support/private-cluster.ts'

const cluster = new PrivateCluster()
beforeAll(() => cluster.start())
afterAll(() => cluster.remove())

const refusal = async (url: string): Promise<string> =>
  (await launchPosthouse({ env: { DATABASE_URL: url } })).refusal()

test.each(['fsync', 'full_page_writes', 'synchronous_commit'])('a server with %s off is refused', async (name) => {
  await cluster.set(name, 'off')
  const said = await refusal(cluster.url)
  await cluster.set(name, undefined)
  expect(said).toMatch(new RegExp(`^This PostgreSQL must not hold mail:\n  - ${name} is off: .*\n$`))
})

test('all three at once are named at once', async () => {
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) await cluster.set(name, 'off')
  const said = await refusal(cluster.url)
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) await cluster.set(name, undefined)
  expect(said.match(/^ {2}- \w+ is off/gm)).toEqual([
    '  - fsync is off',
    '  - full_page_writes is off',
    '  - synchronous_commit is off',
  ])
})

const narrower = [
  ['for our database', 'alter database posthouse set synchronous_commit = off'],
  ['for our user', 'alter role posthouse set synchronous_commit = off'],
] as const

test.each(narrower)('synchronous_commit off only %s is refused too', async (_, statement) => {
  await cluster.session((client) => client.query(statement))
  const said = await refusal(cluster.url)
  await cluster.session((client) => client.query(statement.replace(/ set (\w+) .*/, ' reset $1')))
  expect(said).toContain('synchronous_commit is off')
})

test('synchronous_commit off in the address itself is refused too', async () => {
  const said = await refusal(`${cluster.url}&options=${encodeURIComponent('-c synchronous_commit=off')}`)
  expect(said).toContain('synchronous_commit is off')
})

test('the same server without them is fine, and so is every safe kind of synchronous_commit', async () => {
  await cluster.set('synchronous_commit', 'remote_write')
  const node = await startPosthouse({ env: { DATABASE_URL: cluster.url } })
  expect((await node.api.get('projects')).status).toBe(200)
})
