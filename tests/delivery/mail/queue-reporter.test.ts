import { expect, test } from 'vitest'
import { silent } from '../../../src/core/log.ts'
import { newId, type ProjectId } from '../../../src/core/ids.ts'
import { QueueReporter } from '../../../src/delivery/mail/queue-reporter.ts'
import { ReplyTally } from '../../../src/delivery/mail/reply-tally.ts'
import type { Sent } from '../../../src/delivery/mail/transports/transport.ts'
import { DestinationState } from '../../../src/dispatch/destination.ts'
import type { DestinationReport } from '../../../src/dispatch/queue.ts'
import type { QueueReports } from '../../../src/resources/queue/index.ts'

type Report = Parameters<QueueReports['write']>[0]

const peer = { host: 'mx.sink.test', address: '192.0.2.1', source: undefined, tls: 'TLSv1.3' }
const refused = (text: string): Sent => ({
  result: { kind: 'refused', stage: 'rcpt', reply: { code: 450, enhanced: '4.2.0', text } },
  peer,
  milliseconds: 1,
})
const accepted: Sent = {
  result: { kind: 'accepted', reply: { code: 250, enhanced: undefined, text: 'queued as 4711' } },
  peer,
  milliseconds: 1,
}

function aReporter() {
  const time = { now: 1_000_000 }
  const clock = { now: () => time.now }
  const written: Report[] = []
  const known: DestinationReport[] = []
  const tally = new ReplyTally(clock)
  const reporter = new QueueReporter({
    reports: { write: async (report) => void written.push(report) },
    dispatcher: { workerId: newId(), reports: () => known },
    tally,
    connectionsAt: () => 3,
    clock,
    log: silent,
  })
  return { time, clock, written, known, tally, reporter }
}

test('a worker that has nothing to tell asks the database for nothing, after it has said so once', async () => {
  const { written, tally, reporter } = aReporter()
  await reporter.runOnce()
  expect(written).toEqual([])
  tally.add(newId<'prj'>(), 'mx.sink.test', accepted)
  for (let i = 0; i < 3; i++) await reporter.runOnce()
  expect(written).toMatchObject([{ replies: [{ count: 1 }] }, { states: [], replies: [], flows: [] }])
  expect(written).toHaveLength(2)
})

test('it tells how much left by the second, for each project', async () => {
  const { time, written, tally, reporter } = aReporter()
  const [one, other] = [newId<'prj'>(), newId<'prj'>()]
  for (const project of [one, one, one, other]) tally.add(project, 'mx.sink.test', accepted)
  tally.add(other, 'mx.sink.test', refused('later'))
  time.now += 2_000
  await reporter.runOnce()
  expect(written[0]!.flows).toEqual([
    { projectId: one, perSecond: 1.5 },
    { projectId: other, perSecond: 0.5 },
  ])
})

test('answers that differ in numbers and addresses only are counted together, and other texts are bounded', () => {
  const { tally } = aReporter()
  const project: ProjectId = newId<'prj'>()
  const add = (text: string) => tally.add(project, 'mx.sink.test', refused(text))
  add('<ann@sink.test> greylisted, id A17')
  add('<bob@sink.test> greylisted, id B4711')
  expect(tally.take().replies).toMatchObject([{ count: 2, text: '<…@…> greylisted, id B4711' }])
  const word = (i: number): string => String.fromCodePoint(97 + Math.floor(i / 26), 97 + (i % 26))
  for (let i = 0; i < 200; i++) add(`words ${word(i)}`)
  const { replies } = tally.take()
  expect(replies.length).toBeLessThanOrEqual(51)
  expect(replies.reduce((sum, { count }) => sum + count, 0)).toBe(200)
})

test.for([
  ['<john@example.org>: Recipient address rejected', '<…@…>: Recipient address rejected'],
  ['john@example.org: unknown, ask postmaster@example.org', '…@…: unknown, ask …@…'],
  ['No "john doe"@example.org here', 'No …@… here'],
  ['user john+news@[192.0.2.1] is gone', 'user …@… is gone'],
  ['jörg@bücher.example;j@x', '…@…;…@…'],
])('no address is told to whoever looks at the queue: %s', ([said, told]) => {
  const { tally } = aReporter()
  tally.add(newId<'prj'>(), 'mx.sink.test', refused(said!))
  tally.add(newId<'prj'>(), 'mx.sink.test', { ...accepted, result: { kind: 'unknown', reason: said! } })
  expect(tally.take().replies.map(({ text }) => text)).toEqual([told, told])
})

test('a project that hears a great many different answers leaves room for those of others', () => {
  const { tally } = aReporter()
  const [loud, quiet] = [newId<'prj'>(), newId<'prj'>()]
  const words = (i: number): string => String(i).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)
  tally.add(quiet, 'mx.quiet.test', refused('first'))
  for (let i = 0; i < 20_000; i++) tally.add(loud, `mx${i % 300}.loud.test`, refused(`words ${words(i)}`))
  tally.add(loud, 'mx.last.test', refused('the first of its destination'))
  tally.add(quiet, 'mx.quiet.test', refused('second'))
  tally.add(quiet, 'mx.other.test', refused('third'))
  const { replies } = tally.take()
  const of = (project: ProjectId) => replies.filter(({ projectId }) => projectId === project)
  expect(of(quiet).map(({ text }) => text)).toEqual(['first', 'second', 'third'])
  expect(of(loud).length).toBeLessThan(1_000)
  expect(of(loud).filter(({ destination }) => destination === 'mx.last.test')).toHaveLength(1)
  expect(new Set(of(loud).map(({ destination }) => destination)).size).toBe(301)
})

test('what we were not allowed to connect to keeps its address to itself', () => {
  const { tally } = aReporter()
  const reply = { code: 550, enhanced: '5.4.4', text: 'mx.inner.test is not reachable from here' }
  tally.add(newId<'prj'>(), 'mx.inner.test', { result: { kind: 'declined', reply }, peer, milliseconds: 0 })
  expect(tally.take().replies).toMatchObject([{ outcome: 'declined', host: 'mx.sink.test', address: null }])
})

test('a destination tells for how long it has been in trouble, why, and what it gets', async () => {
  const { time, clock, written, known, reporter } = aReporter()
  const state = new DestinationState(() => ({ concurrency: 40 }), clock)
  expect(state.report('google')).toMatchObject({ suspendedForMs: 0, onTrial: false, troubledForMs: undefined })
  state.suspend(60_000)
  state.note({ code: 421, text: 'slow down' })
  time.now += 10_000
  state.restrict({ concurrency: 2 }, 600_000)
  known.push(state.report('google'))
  await reporter.runOnce()
  expect(written[0]!.states).toMatchObject([
    {
      destination: 'google',
      suspendedForMs: 50_000,
      onTrial: true,
      troubledForMs: 10_000,
      connections: 3,
      connectionLimit: 1,
      note: { code: 421 },
    },
  ])
  time.now += 60_000
  state.started()
  state.ended()
  expect(state.report('google')).toMatchObject({ suspendedForMs: 0, onTrial: false, concurrency: 2 })
  time.now += 600_000
  expect(state.report('google')).toMatchObject({ concurrency: undefined, troubledForMs: undefined, note: undefined })
})
