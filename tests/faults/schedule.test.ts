import { expect, test } from 'vitest'
import { accepted } from '../support/world.ts'
import { patiently } from '../support/client.ts'
import { eventually, stretched } from '../support/eventually.ts'
import { mailWorld, type MailWorld } from '../support/mail-world.ts'

/** Schedules mails to `name0`, `name1` … in batches, each at a moment of its own; answers their ids by address. */
async function schedule(
  { projectApi, from }: MailWorld,
  name: string,
  count: number,
  sendAt: (i: number) => number,
): Promise<Map<string, string>> {
  const people = Array.from({ length: count }, (_, i) => ({ to: `${name}${i}@sink.test`, at: sendAt(i) }))
  const ids = new Map<string, string>()
  for (let at = 0; at < count; at += 100) {
    const some = people.slice(at, at + 100)
    const emails = some.map(({ to, at: moment }) => ({
      from,
      to,
      subject: 'Later',
      text: 'It is time.',
      sendAt: new Date(moment).toISOString(),
    }))
    const key = { 'Idempotency-Key': `${name}${at}` }
    const { data } = accepted(
      await patiently(() => projectApi.post<{ data: { id: string }[] }>('email/batch', { emails }, key)),
    )
    data.forEach(({ id }, i) => ids.set(some[i]!.to, id))
  }
  return ids
}

test('2,000 races of cancel and reschedule against the worker: never both, never neither', async () => {
  const here = await mailWorld()
  const { projectApi, sink } = here
  const inAYear = new Date(Date.now() + 300 * 86_400_000).toISOString()
  const answers = new Map<string, number>()
  const groups = Array.from({ length: 100 }, (_, i) => `group${i}-`).values()
  // A machine that is busy makes us late. Whoever loses too often comes earlier next time.
  let head = 100
  const racer = async (): Promise<void> => {
    for (const name of groups) {
      const due = Date.now() + 1_000
      const ids = await schedule(here, name, 20, () => due)
      const race = async ([to, id]: [string, string], i: number): Promise<void> => {
        // Around the moment in which the worker takes it.
        await eventually('its moment', () => Date.now() >= due - head + i * 20)
        const [move, body] = i % 2 === 0 ? ['cancel'] : ['reschedule', { sendAt: inAYear }]
        const { status } = await patiently(() => projectApi.post(`emails/${id}/${move}`, body))
        answers.set(to, status)
        head = Math.min(800, Math.max(0, head + (status === 409 ? 2 : -2)))
      }
      await Promise.all([...ids].map(race))
    }
  }
  await Promise.all(Array.from({ length: 6 }, racer))
  const [won, lost] = [200, 409].map((status) => [...answers.keys()].filter((to) => answers.get(to) === status))
  expect(won!.length + lost!.length).toBe(2_000)
  // A race that only one side ever wins is none.
  expect(Math.min(won!.length, lost!.length)).toBeGreaterThan(20)
  await eventually(
    'what was not stopped has arrived',
    () => new Set(sink.taken.map(({ to }) => to)).size >= lost!.length,
    60_000,
  )
  expect(sink.taken.map(({ to }) => to).toSorted()).toEqual(lost!.toSorted())
}, 180_000)

test('a scheduled mail is never early and hardly late', async () => {
  const here = await mailWorld()
  const { sink, send } = here
  const start = Date.now() + 5_000
  const at = (i: number): number => start + i * 20
  await schedule(here, 'user', 200, at)
  const scheduled = Date.now()
  // What mail that is sent at once takes meanwhile: a busy machine is late with everything.
  const usual: number[] = []
  const planned = () => sink.taken.filter(({ to }) => to.startsWith('user'))
  for (let i = 0; planned().length < 200; i++) {
    const sentAt = performance.now()
    const to = `now${i}@sink.test`
    await send(to)
    const mail = await eventually('it arrives', () => sink.taken.find((one) => one.to === to))
    usual.push(mail.at - sentAt)
  }
  const zero = Date.now() - performance.now()
  const arrivals = planned().map(({ to, at: arrivedAt }) => ({
    due: at(Number(/\d+/.exec(to)?.[0])),
    arrived: zero + arrivedAt,
  }))
  // A millisecond for two clocks that are read one after the other.
  expect(Math.min(...arrivals.map(({ due, arrived }) => arrived - due))).toBeGreaterThanOrEqual(-1)
  // A busy machine may have come to ask for some of them when it was time for them already.
  const late = arrivals.map(({ due, arrived }) => arrived - Math.max(due, scheduled)).toSorted((a, b) => a - b)
  expect(late[Math.floor(late.length * 0.99)]).toBeLessThan(stretched(2_000) + Math.max(...usual))
})

test('after ten minutes without a worker everything that came due leaves, each exactly once', async () => {
  const here = await mailWorld({ workers: 0 })
  const { sink, advance, startWorker, projectApi } = here
  const ids = await schedule(here, 'user', 300, (i) => Date.now() + 1_000 + i * 1_000)
  await advance({ minutes: 10 })
  await Promise.all([startWorker(), startWorker()])
  await eventually('all have arrived', () => sink.taken.length >= 300)
  const settled = async (status: string) =>
    (await projectApi.get<{ hasMore: boolean; data: unknown[] }>(`emails?status=${status}&limit=100`)).body
  await eventually('all are recorded', async () => (await settled('sending')).data.length === 0)
  expect(new Set(sink.taken.map(({ to }) => to))).toEqual(new Set(ids.keys()))
  expect(sink.taken).toHaveLength(300)
})
