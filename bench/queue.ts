/** How long people wait who look at the queue with a million recipients in it, when it is counted anew and when it is not. */
import { decodeId } from '../src/core/ids.ts'
import { sql } from '../src/storage/sql.ts'
import { startMailNode, type MailNode } from './mail-node.ts'
import type { Row } from './table.ts'

const QUEUED = 1_000_000
const DESTINATIONS = 1_000
/** A statement may not take longer than half a minute. */
const PIECE = 50_000
const LOOKS = 60

export async function queue(): Promise<Row[]> {
  const node = await startMailNode(1, { ROLES: 'api' })
  await fill(node)
  const anew = await looks(node, true)
  const kept = await looks(node, false)
  await node.stop()
  const among = `${QUEUED.toLocaleString('en')} queued for ${DESTINATIONS.toLocaleString('en')} destinations`
  return [
    {
      what: `GET /queue, counted anew each time, ${among}`,
      ours: `p50 ${at(anew, 0.5)} ms, p95 ${at(anew, 0.95)} ms`,
      yardstick: '',
      result: '',
      target: 'p95 ≤ 300 ms',
    },
    {
      what: `GET /queue, counted at most every five seconds, ${among}`,
      ours: `p50 ${at(kept, 0.5)} ms, p95 ${at(kept, 0.95)} ms`,
      yardstick: '',
      result: '',
      target: 'p95 ≤ 300 ms',
    },
  ]
}

async function fill({ inDatabase, api }: MailNode): Promise<void> {
  const { body } = await api.get<{ data: { id: string }[] }>('projects')
  const project = decodeId('prj', body.data[0]?.id ?? '')
  await inDatabase(async (db) => {
    for (let done = 0; done < QUEUED; done += PIECE) {
      await db.run(sql`
        insert into deliveries (id, project_id, email_id, position, recipient, destination, lane, state, due_at, lease_no,
                                attempts)
        select uuidv7(), ${project}, gen_random_uuid(), 0, 'user' || n || '@sink.test',
               'mx' || n % ${DESTINATIONS}::int || '.sink.test', 0, case n % 4 when 0 then 'waiting' else 'ready' end,
               clock_now() + interval '1 hour', 1, 1
          from generate_series(1, ${PIECE}::int) as n`)
    }
    await db.run(sql`vacuum analyze deliveries`)
  })
}

async function looks({ api, inDatabase }: MailNode, isAnew: boolean): Promise<number[]> {
  return inDatabase(async (db) => {
    const times: number[] = []
    for (let i = 0; i < LOOKS; i++) {
      if (isAnew) await db.run(sql`delete from queue_picture_times`)
      const startedAt = performance.now()
      const { status } = await api.get('queue?limit=50')
      if (status !== 200) throw new Error(`answered ${status}`)
      times.push(performance.now() - startedAt)
    }
    return times.toSorted((a, b) => a - b)
  })
}

const at = (times: readonly number[], share: number): string =>
  (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(0)
