import { randomBytes } from 'node:crypto'
import { expect, inject, onTestFinished, test } from 'vitest'
import { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'
import { Client } from '../support/client.ts'
import { launchPosthouse } from '../support/posthouse-process.ts'
import { administer, withDatabase } from '../support/server.ts'

/** As an administrator hands it out: without a single table. */
async function emptyDatabase(): Promise<{ url: string; db: Database }> {
  const server = inject('serverUrl')
  const name = `posthouse_empty_${randomBytes(6).toString('hex')}`
  await administer(server, `create database ${name}`)
  const url = withDatabase(server, name)
  const db = new Database({ url, name: 'test', connections: 1 })
  onTestFinished(async () => {
    await db.close()
    await administer(server, `drop database ${name} with (force)`)
  })
  return { url, db }
}

test('two nodes that start at once on an empty database make one installation, and both serve it', async () => {
  const { url, db } = await emptyDatabase()
  const env = { DATABASE_URL: url, MASTER_KEY: randomBytes(32).toString('hex') }
  const nodes = [await launchPosthouse({ env }), await launchPosthouse({ env })]
  await Promise.all(nodes.map((node) => node.ready()))

  const greeted = nodes.filter(({ stdout }) => stdout.includes('ph_live_'))
  expect(greeted).toHaveLength(1)
  const { workspace, projectId } = greeted[0]!.keys
  const serves = async (address: string): Promise<void> => {
    const { body } = await new Client(address, workspace).get<{ data: { id: string }[] }>('projects')
    expect(body.data.map(({ id }) => id)).toEqual([projectId])
  }
  for (const node of nodes) await serves(node.url)
  expect(
    await db.one(sql`
      select (select count(*) from workspaces) as workspaces,
             (select count(*) from projects) as projects,
             (select count(*) from api_keys) as keys`),
  ).toEqual({ workspaces: 1, projects: 1, keys: 2 })

  // A third one that could not read what these two seal must not join them.
  const other = randomBytes(32).toString('hex')
  const stranger = await launchPosthouse({ env: { DATABASE_URL: url, MASTER_KEY: other } })
  expect(await stranger.refusal()).toMatch(/MASTER_KEY/)
  expect(stranger.output).not.toContain(other)
  for (const node of nodes) {
    await serves(node.url)
    expect(node.stderr).toBe('')
  }
})
