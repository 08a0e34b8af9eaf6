import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { eventually, milliseconds } from '../support/eventually.ts'
import { startInstallation } from '../support/mail-node.ts'
import { startPosthouse } from '../support/posthouse-process.ts'
import { lostOf, repeatsIn } from './ledgers.ts'
import { sitesOf, startRecipients } from './recipients.ts'
import { chaos } from './run.ts'
import { newLedger, postAll } from './senders.ts'
import { inWords, seconds, startStream } from './stream.ts'

const ROUNDS = 3
const FROZEN_MS = 60_000
const IN_HAND = 400
const BATCH = 100

chaos('every process is asked to leave in turn while mail flows', async (run) => {
  const recipients = await startRecipients()
  const here = await startInstallation(recipients, { LOG_LEVEL: 'silent' })
  const stream = startStream({ apis: () => [here.api], from: here.from, sites: ['sink.test'], sides: 4 })
  const leaving: number[] = []
  for (let round = 0; round < run.scaled(ROUNDS); round++) {
    for (const role of ['api', 'worker', 'inbound'] as const) {
      const before = recipients.arrivals.length
      await eventually('mail flows', () => recipients.arrivals.length > before + 200, 60_000)
      const pids = here.node.rolePids(role)
      const gone = () => !here.node.rolePids(role).some((pid) => pids.includes(pid))
      leaving.push(
        await milliseconds(() => here.kill(role, 'SIGTERM').then(() => eventually('it is gone', gone, 60_000))),
      )
      run.hit(`SIGTERM of the ${role}`, 1)
    }
  }
  await stream.stop()
  const { ledger, heard } = stream
  const lost = (await lostOf(ledger.acknowledged.keys(), [recipients], 60_000)).length
  const twice = repeatsIn([recipients]).length
  const failed = heard.statuses
    .keys()
    .filter((status) => status !== 202)
    .toArray()
  run.line(
    '4',
    '0 lost, 0 twice, 0 failed requests',
    `${lost} lost, ${twice} twice of ${ledger.acknowledged.size}; ${inWords(heard)}`,
    lost + twice + failed.length === 0,
  )
  const slowest = Math.max(...leaving)
  run.line('4', 'gone within 30 s', `${seconds(slowest)} at most`, slowest <= 30_000)
})

chaos('a worker dies with its hands full, and one is frozen and wakes up again', async (run) => {
  const { url, drop } = await freshDatabase()
  onTestFinished(drop)
  const wait = { greeting: 0, data: 0, dot: 0 }
  const recipients = await startRecipients({ linger: (stage) => wait[stage] })
  const { sites, zones } = sitesOf(10)
  const env = { DATABASE_URL: url, MASTER_KEY: randomBytes(32).toString('hex'), LOG_LEVEL: 'silent' }
  const here = await startInstallation(recipients, env, zones)
  const send = async (name: string): Promise<string[]> => {
    const to = Array.from({ length: run.scaled(IN_HAND) }, (_, i) => `${name}${i}@${sites[i % sites.length]}`)
    const posts = Array.from({ length: Math.ceil(to.length / BATCH) }, (_, i) => to.slice(i * BATCH, (i + 1) * BATCH))
    await postAll(
      posts.map((some) => ({ api: () => here.api, from: here.from, to: some })),
      newLedger(),
    )
    return to
  }
  const haveArrived = (names: readonly string[]) => () => {
    const counts = recipients.counts()
    return names.every((to) => counts.has(to))
  }

  // It has connected for as many as it may, and is not even greeted: nothing of these mails has left it.
  wait.greeting = Infinity
  const inHand = await send('hand')
  await eventually('its hands are full', () => recipients.open >= sites.length)
  wait.greeting = 0
  run.hit('connections that a killed worker had open', recipients.open)
  process.kill(here.node.rolePid('worker')!, 'SIGKILL')
  const resumed = await milliseconds(() => eventually('they go on', haveArrived(inHand), 60_000).catch(() => {}))
  run.line(
    '5',
    'a dead worker’s mail goes on within 30 s',
    `all ${inHand.length} arrived after ${seconds(resumed)}`,
    resumed <= 30_000,
  )

  // Everybody is asked to wait between DATA and its answer; meanwhile the first worker is frozen, and a second one comes.
  wait.data = 3_000
  const frozen = await send('ice')
  const inData = () => [...recipients.underway].filter(({ sender }) => sender === 'posthouse.test')
  await eventually('many are within DATA', () => inData().length >= sites.length)
  // Its supervisor with it, which would otherwise replace it long before the minute is over.
  const pids = [here.node.pid, here.node.rolePid('worker')!]
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  const frozenAt = performance.now()
  const theirs = new Set(inData().map(({ to }) => to))
  run.hit('mails within DATA in a worker that was frozen', theirs.size)
  // Only sends, on the same database, under a name of its own.
  const second = await startPosthouse({ env: { ...here.node.env, ROLES: 'worker', SMTP_HOSTNAME: SECOND } })
  wait.data = 0
  await eventually('the second worker has sent all of them', haveArrived(frozen), FROZEN_MS + 60_000)
  const byTheOther = recipients.arrivals.filter(({ to, sender }) => theirs.has(to) && sender === SECOND)
  run.hit('mails of a frozen worker that another one sent', byTheOther.length)
  await eventually('a minute is over', () => performance.now() > frozenAt + FROZEN_MS, FROZEN_MS * 2)
  const thawedAt = performance.now()
  for (const pid of pids) process.kill(pid, 'SIGCONT')
  // It is awake, and has been told that it owns nothing, when it or its successor sends mail again.
  await second.stop()
  await eventually('the first one works again', haveArrived(await send('awake')), 60_000)
  const late = recipients.arrivals.filter(({ to, at, sender }) => theirs.has(to) && at > thawedAt && sender !== SECOND)
  run.line('6', '0 final dots for what it no longer owns', `${late.length} of ${theirs.size}`, late.length === 0)
})

const SECOND = 'second.test'

chaos('every process hangs in turn while mail flows', async (run) => {
  const recipients = await startRecipients()
  const here = await startInstallation(recipients, { LOG_LEVEL: 'silent' })
  const stream = startStream({ apis: () => [here.api], from: here.from, sites: ['sink.test'], sides: 4 })
  const hanging: number[] = []
  for (const role of ['api', 'worker', 'inbound'] as const) {
    const before = recipients.arrivals.length
    await eventually('mail flows', () => recipients.arrivals.length > before + 200, 120_000)
    const pid = here.node.rolePid(role)!
    const isReplaced = () => ![undefined, pid].includes(here.node.rolePid(role))
    process.kill(pid, 'SIGSTOP')
    hanging.push(await milliseconds(() => eventually('it is replaced', isReplaced, 120_000)))
    run.hit(`SIGSTOP of the ${role}`, 1)
  }
  await stream.stop()
  const { ledger } = stream
  const lost = (await lostOf(ledger.acknowledged.keys(), [recipients], 95_000)).length
  run.line('51', '0 lost', `${lost} lost of ${ledger.acknowledged.size}`, lost === 0)
  const slowest = Math.max(...hanging)
  run.line('51', 'a hung process is replaced within 20 s', `${seconds(slowest)} at most`, slowest <= 20_000)
})
