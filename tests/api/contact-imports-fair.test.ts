import { expect, test } from 'vitest'
import { decodeId } from '../../src/core/ids.ts'
import { ImportFile } from '../../src/resources/contacts/import-file.ts'
import { begin } from '../../src/resources/contacts/store/imports.ts'
import { sql } from '../../src/storage/sql.ts'
import { newAudience, runJobs } from '../support/audiences.ts'
import { CSV, NDJSON, upload, type ImportSeen } from '../support/imports.ts'
import { accepted, world } from '../support/world.ts'

/** How often everybody else has had a turn while work is under way. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false]
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isOver = true
  return turns
}

const files: [what: string, type: string, body: string][] = [
  ['blank lines of CSV', CSV, `email\n${'\n'.repeat(200_000)}`],
  ['blank lines of NDJSON', NDJSON, '\n'.repeat(200_000)],
  ['rows that are refused', CSV, `email\n${'x\n'.repeat(100_000)}`],
  ['rows that are long', NDJSON, `{"email":"${'x'.repeat(200_000)}"}\n`.repeat(3)],
]

test.each(files)('while %s are read, others have their turns', async (_what, type, body) => {
  const { db, projectApi, projectId } = await world()
  const audience = await newAudience(projectApi)
  const { id } = accepted(await upload(projectApi, audience, body, type))
  const one = await begin(db, decodeId('prj', projectId)!, decodeId('imp', id)!)
  const file = await ImportFile.open(db, one!)
  let rows = 0
  // All of it lies in memory: nothing but the reading itself lets others have a turn.
  const turns = await turnsDuring(async () => {
    for (let isLast = false; !isLast;) {
      const chunk = await file.take({ rows: 1_000, bytes: 1024 * 1024 }, Date.now())
      expect(chunk.rows.length).toBeLessThanOrEqual(1_000)
      rows += chunk.rows.length
      isLast = chunk.isLast
    }
  })
  expect(rows).toBe(body.split('\n').length - (type === CSV ? 2 : 1))
  const [bySheerNumber, byLength] = [rows / 100, Math.min(rows, body.length / (64 * 1024))]
  expect(turns).toBeGreaterThanOrEqual(Math.floor(Math.max(bySheerNumber, byLength)) - 1)
})

test('blank lines count as rows: a file of nothing else comes to its end', async () => {
  const here = await world()
  const { db, projectApi } = here
  const audience = await newAudience(projectApi)
  const { id } = accepted(await upload(projectApi, audience, `email\n${'\n'.repeat(100)}ann@example.com\n`))
  await db.run(sql`update contact_imports set processed_rows = 999990 where id = ${decodeId('imp', id)!}`)
  await runJobs(here)
  const { body } = await projectApi.get<ImportSeen>(`audiences/${audience}/contacts/imports/${id}`)
  expect(body).toMatchObject({ status: 'failed', problem: expect.stringMatching(/more than 1000000 rows/) })
  expect(body.rows).toMatchObject({ processed: 1_000_000, created: 0 })
})
