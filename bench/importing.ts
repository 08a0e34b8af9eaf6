/** A file with a million contacts: how quickly it is in, and what that takes of memory. */
import { setTimeout as sleep } from 'node:timers/promises'
import { startMailNode, type MailNode } from './mail-node.ts'
import { watchMemory } from './node.ts'
import { perSecond, rate, type Row } from './table.ts'

const ROWS = 1_000_000
const ROWS_IN_A_PIECE = 10_000

export async function importing(): Promise<Row[]> {
  const node = await startMailNode(1)
  const { body: audience } = await node.api.post<{ id: string }>('audiences', { name: 'Everybody' })
  const memory = watchMemory(node)
  const took = await importAll(node, audience.id)
  const peak = memory.stop()
  await node.stop()
  return [
    {
      what: `contacts imported from a CSV of ${ROWS.toLocaleString('en')} rows`,
      ours: rate(perSecond(ROWS, took)),
      yardstick: '',
      result: `${(took / 1_000).toFixed(0)} s`,
      target: '',
    },
    {
      what: 'the largest process meanwhile',
      ours: `${peak.toFixed(0)} MB`,
      yardstick: '',
      result: '',
      target: '≤ 400 MB',
    },
  ]
}

/** From the first byte to the last contact, in milliseconds. */
async function importAll({ api, port, projectKey }: MailNode, audience: string): Promise<number> {
  const startedAt = performance.now()
  const upload = await fetch(`http://127.0.0.1:${port}/api/v1/audiences/${audience}/contacts/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${projectKey}`, 'content-type': 'text/csv' },
    body: ReadableStream.from(csv()),
    duplex: 'half',
  } as RequestInit)
  if (upload.status !== 202) throw new Error(await upload.text())
  const { id } = (await upload.json()) as { id: string }
  for (;;) {
    const { body } = await api.get<{ status: string; rows: { created: number } }>(
      `audiences/${audience}/contacts/imports/${id}`,
    )
    if (body.status === 'completed' && body.rows.created === ROWS) return performance.now() - startedAt
    if (body.status === 'failed' || body.status === 'completed') throw new Error(JSON.stringify(body))
    await sleep(100)
  }
}

function* csv(): Iterable<Uint8Array> {
  yield Buffer.from('email,firstName,lastName,plan,consentSource\n')
  for (let at = 0; at < ROWS; at += ROWS_IN_A_PIECE) {
    const lines = Array.from(
      { length: ROWS_IN_A_PIECE },
      (_, i) => `user${at + i}@sink.test,User,${at + i},free,form\n`,
    )
    yield Buffer.from(lines.join(''))
  }
}
