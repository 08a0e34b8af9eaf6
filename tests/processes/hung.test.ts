import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { eventually, milliseconds } from '../support/eventually.ts'
import { startMailNode, type MailNode } from '../support/mail-node.ts'
import type { PosthouseProcess } from '../support/posthouse-process.ts'
import { isRunning } from '../support/process-table.ts'

const WITHIN_MS = 20_000
/** It is all about waiting, and a busy machine makes each of these waits longer. */
const PATIENCE = { timeout: 240_000 }
const SAID_BY_THE_SUPERVISOR = 'process hung, replacing it'

interface Hung {
  role: string
  hungPid: number
  silentMs: number
  stack?: string
}

/** What the log says about those that were replaced. */
const replaced = ({ stderr }: PosthouseProcess): Hung[] =>
  stderr
    .split('\n')
    .filter((line) => line.includes(SAID_BY_THE_SUPERVISOR))
    .map((line) => JSON.parse(line) as Hung)

/** Lines of a log may come a moment late. */
const allReplaced = (node: PosthouseProcess): Promise<Hung[]> =>
  eventually('the log says so', () => replaced(node).length > 0 && replaced(node))

const isGone =
  (pid: number): (() => boolean) =>
  () =>
    !isRunning(pid)

const mailTo = (to: string, { from }: MailNode) => ({ from, to, subject: 'Hello', html: '<p>Hello.</p>' })

test('an API in an endless loop is replaced, and what it had committed is there', PATIENCE, async () => {
  const here = await startMailNode({ POSTHOUSE_FAILPOINTS: 'accept.after-commit=spin@first' })
  const { node, api } = here
  const pid = node.rolePid('api')!
  const headers = { 'idempotency-key': randomUUID() }
  const unanswered = api.post('email/send', mailTo('ann@sink.test', here), headers).catch(() => 'no answer')
  await eventually('it has committed', () => here.ledger().get('ann@sink.test') === 1)
  const took = await milliseconds(() =>
    eventually('requests are answered', async () => (await api.get('emails')).status === 200, 120_000),
  )
  expect(took).toBeLessThan(node.atMost(WITHIN_MS))
  expect(await unanswered).toBe('no answer')
  const [hung] = await allReplaced(node)
  expect(hung).toMatchObject({ role: 'api', hungPid: pid })
  expect(hung!.silentMs).toBeGreaterThanOrEqual(15_000)
  expect(hung!.stack).toMatch(/^ {4}at failpoint \(.*\/dist\/core\/failpoint\.js:\d+:\d+\)\n {4}at /)
  // Node says where its debugger listens; that is for the supervisor alone.
  expect(node.stderr).not.toContain('ebugger')
  const again = await api.post('email/send', mailTo('ann@sink.test', here), headers)
  expect(again.status).toBe(202)
  expect([...here.ledger()]).toEqual([['ann@sink.test', 1]])
})

test('a worker that was stopped is replaced, and its mail goes on', PATIENCE, async () => {
  const here = await startMailNode()
  const { node } = here
  await here.sendAll(['before@sink.test'])
  const pid = node.rolePid('worker')!
  process.kill(pid, 'SIGSTOP')
  await here.sendAll(['during@sink.test'])
  const took = await milliseconds(() =>
    eventually('it was replaced', () => isGone(pid)() && node.rolePid('worker') !== undefined, 120_000),
  )
  expect(took).toBeLessThan(node.atMost(WITHIN_MS))
  expect(await allReplaced(node)).toEqual([expect.objectContaining({ role: 'worker', hungPid: pid })])
  await eventually('its mail has arrived', () => here.ledger().get('during@sink.test') === 1, 120_000)
  expect((await here.api.get('emails')).status).toBe(200)
})

test(
  'a node that was stopped as a whole for longer finds its roles alive and leaves them alone',
  PATIENCE,
  async () => {
    const here = await startMailNode()
    const { node } = here
    const pids = node.rolePids()
    node.signalGroup('SIGSTOP')
    const until = performance.now() + 17_000
    await eventually('more than the patience is over', () => performance.now() > until, 120_000)
    node.signalGroup('SIGCONT')
    await here.sendAll(['after@sink.test'])
    await eventually('mail flows', () => here.ledger().get('after@sink.test') === 1, 120_000)
    expect(node.rolePids()).toEqual(pids)
    expect(replaced(node)).toEqual([])
  },
)
