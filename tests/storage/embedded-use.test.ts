import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { useEmbedded } from '../../src/embedded-postgres/use.ts'
import { removeDataDirectory, temporaryDirectory } from '../support/posthouse-process.ts'

test('a user whose session is ended, because another stops the server, leaves without complaint', async () => {
  const dataDir = temporaryDirectory()
  onTestFinished(() => removeDataDirectory(dataDir))
  const [first, second] = [await useEmbedded({ dataDir }), await useEmbedded({ dataDir })]
  expect([await first.takeCharge(), await second.takeCharge()]).toEqual([true, false])
  const client = new pg.Client({ connectionString: first.superuserUrl })
  await client.connect()
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'posthouse use'`,
  )
  expect(rowCount).toBe(2)
  await client.end()
  expect(await Promise.all([first.leave(), second.leave()])).toEqual([undefined, undefined])
})
