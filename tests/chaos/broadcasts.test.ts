import { newAudience } from '../support/audiences.ts'
import { accountedFor, newBroadcast, readBroadcast, sendBroadcast, type BroadcastSeen } from '../support/broadcasts.ts'
import type { Client } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { startInstallation, type Installation } from '../support/mail-node.ts'
import { accepted } from '../support/world.ts'
import { againUntil } from './beats.ts'
import { areSame, lostOf, repeatsIn } from './ledgers.ts'
import { sitesOf, startRecipients, type Recipients } from './recipients.ts'
import { chaos, type Run } from './run.ts'

const CONTACTS = 20_000
const KILLS = 20
/** The first worker dies by itself: within the expansion, which is soon over. */
const FAILPOINTS = 'broadcasts.expand=kill@attempt 1'
const BY_THEMSELVES = 1
/** With every second worker an API process is killed. */
const API_EVERY = 2
/** Longer than the supervisor needs to believe that a worker is all right. */
const PAUSE_MS = 3_200
/** It is sent so slowly that there is always somebody with work in hand to be killed. */
const STORM_MS = 45_000
/** Before each kill at least such a part of it is delivered. */
const PORTIONS = 60
/** The lease of a killed worker runs out before that, and its mail goes on. */
const SILENT_MS = 95_000
const LOOK_MS = 20

chaos('a broadcast to thousands, with processes killed while it is expanded, fed and delivered', async (run) => {
  const recipients = await startRecipients()
  const { sites, zones } = sitesOf(8)
  const env = { LOG_LEVEL: 'silent', POSTHOUSE_FAILPOINTS: FAILPOINTS }
  const here = await startInstallation(recipients, env, zones)
  const people = Array.from({ length: run.scaled(CONTACTS) }, (_, i) => `user${i}@${sites[i % sites.length]}`)
  const audience = await audienceOf(here.api, people)
  const watch = new Watch(here)
  const throttle = { perMinute: Math.ceil((people.length * 60_000) / STORM_MS) }
  const draft = await newBroadcast(here.api, audience, { from: here.from, throttle })
  const broadcast = await sendBroadcast(here.api, draft)
  const isExpanded = async () => (await watch.look(broadcast))?.stats.recipients === people.length && watch.deaths > 0
  await eventually('a worker has died of it, and it goes on', isExpanded, 60_000).catch(() => {})
  const kills = await killSome(here, recipients, people.length, run)
  const isSent = async () => (await watch.look(broadcast))?.status === 'sent'
  const coming = lostOf(people, [recipients], SILENT_MS)
  await againUntil(coming, () => LOOK_MS, isSent)
  const missing = await coming
  await eventually('it is sent', isSent).catch(() => {})
  const sent = await watch.look(broadcast)

  const counts = recipients.counts()
  const strangers = [...new Set(counts.keys()).difference(new Set(people))]
  const repeats = repeatsIn([recipients])
  const again = repeats.filter(areSame).length
  const other = repeats.length - again
  run.line(
    '11',
    `one message for each of ${people.length} contacts`,
    `${counts.size - strangers.length} got one, ${missing.length} none, ${other} got two different ones; ${again} were sent twice with the same bytes, past their dot when a worker died`,
    missing.length === 0 && strangers.length === 0 && other === 0,
  )
  const most = (BY_THEMSELVES + kills.worker) * recipients.mostOpen
  run.line('11', `repeated at most once per kill and connection: ${most}`, `${again}`, again <= most)
  run.line(
    '11',
    'numbers that add up at every look',
    `${watch.wrong} of ${watch.looks} looks did not`,
    watch.wrong === 0,
  )
  const { stats } = sent ?? {}
  run.line(
    '11',
    `in the end: ${people.length} recipients, all delivered`,
    `${stats?.recipients} recipients, ${stats?.delivered} delivered, ${stats?.failed} failed`,
    stats?.recipients === people.length && stats.delivered === people.length,
  )
  run.hit('workers killed within the expansion', watch.diedEarly)
  run.hit('workers killed while it is fed and delivered', kills.worker)
  run.hit('API processes killed', kills.api)
})

/** Looks at the broadcast, and at who carries it. */
class Watch {
  looks = 0
  wrong = 0
  /** Of workers, before any of them was killed by us. */
  diedEarly = 0
  readonly #here: Installation
  readonly #workers = new Set<number>()

  constructor(here: Installation) {
    this.#here = here
  }

  get deaths(): number {
    return this.#workers.size - 1
  }

  /** Undefined while nobody answers. */
  async look(broadcast: { id: string }): Promise<BroadcastSeen | undefined> {
    const pid = this.#here.node.rolePid('worker')
    if (pid !== undefined) this.#workers.add(pid)
    const seen = await readBroadcast(this.#here.api, broadcast).catch(() => undefined)
    if (seen === undefined) return undefined
    this.looks++
    if (accountedFor(seen) !== seen.stats.recipients) this.wrong++
    if (this.diedEarly < BY_THEMSELVES) this.diedEarly = Math.min(BY_THEMSELVES, this.deaths)
    return seen
  }
}

async function audienceOf(api: Client, people: readonly string[]): Promise<string> {
  const audience = await newAudience(api)
  const file = ['email,firstName', ...people.map((email, i) => `${email},User ${i}`)].join('\n')
  const path = `audiences/${audience}/contacts/import`
  const imported = accepted(await api.post<{ id: string }>(path, file, { 'content-type': 'text/csv' }))
  const isIn = async () => (await api.get<{ status: string }>(`${path}s/${imported.id}`)).body.status === 'completed'
  await eventually('everybody is in the audience', isIn, 60_000)
  return audience
}

/** One worker after the other, as long as there is something to deliver. */
async function killSome(here: Installation, recipients: Recipients, contacts: number, run: Run) {
  const kills = { worker: 0, api: 0 }
  const kill = async (role: 'worker' | 'api'): Promise<void> => {
    await here.kill(role)
    kills[role]++
  }
  const most = run.scaled(KILLS - BY_THEMSELVES)
  const isOver = () => kills.worker + kills.api >= most || recipients.arrivals.length >= contacts
  const over = eventually('enough were killed', isOver, 120_000)
  await againUntil(
    over,
    () => PAUSE_MS,
    async () => {
      // Mail that is there at two deaths is suspected of them: each worker gets to work before it is killed.
      const enough = recipients.arrivals.length + contacts / PORTIONS
      await Promise.race([over, eventually('it delivers', () => recipients.arrivals.length >= enough, 120_000)]).catch(
        () => {},
      )
      await Promise.all([kill('worker'), ...(kills.worker % API_EVERY === 0 ? [kill('api')] : [])])
    },
  )
  return kills
}
