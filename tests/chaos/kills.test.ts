import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { Role } from '../../src/config/schema.ts'
import { eventually } from '../support/eventually.ts'
import { startInstallation, type Installation } from '../support/mail-node.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { created } from '../support/world.ts'
import { acceptedIn, comparedCells, toldTo } from './counts.ts'
import { areSame, lostOf, repeatsIn } from './ledgers.ts'
import { sitesOf, startRecipients, type Recipients } from './recipients.ts'
import { chaos, type Run } from './run.ts'
import { newLedger, postAll, type Ledger, type Post } from './senders.ts'

const MAILS = 100_000
/** Of so many mails in a row the first ones come alone, the others in one request. */
const [ROW, ALONE] = [104, 4]
/** Every process dies by itself too, where it hurts most: after a commit and before its answer, before a final dot. */
const failpoints = (run: Run): string => `accept.after-commit=kill@first#200,send.before-dot=kill#${run.scaled(8_000)}`

/** A few do not exist, and a few servers say "not now" at first. */
const [UNKNOWN, LATER] = ['unknown', 'later']
const nameOf = (i: number): string => `${i % 100 === 17 ? UNKNOWN : i % 100 === 71 ? LATER : 'user'}${i}`
const refuse = (to: string, before: number): string | undefined => {
  if (to.startsWith(UNKNOWN)) return '550 5.1.1 no such user'
  return to.startsWith(LATER) && before === 0 ? '450 4.2.1 not now' : undefined
}
const tagsOf = (to: string) => ({ site: to.split('@')[1] ?? '' })
const told = ['delivered', 'bounced', 'deferred', 'failed', 'filteredspam', 'quarantined', 'suppressed']

const LOOK_EVERY_MS = 200

interface Kill {
  victim: Role | 'supervisor'
  at: number
}

chaos('every process is killed again and again while mail flows', async (run) => {
  const recipients = await startRecipients({ refuse })
  const { sites, zones } = sitesOf(8)
  const here = await startInstallation(
    recipients,
    { LOG_LEVEL: 'silent', POSTHOUSE_FAILPOINTS: failpoints(run), WEBHOOK_ALLOW_HTTP: 'true' },
    zones,
  )
  const receiver = await startReceiver()
  created(await here.api.post('webhooks', { url: receiver.url, events: told.map((kind) => `email.${kind}`) }))
  const ledger = newLedger()
  const mails = run.scaled(MAILS)
  const deaths = watchWorkers(here)
  const sending = postAll(posts(here, sites, mails), ledger)
  const kills = await killUntil(sending, here, run)
  const existing = [...ledger.acknowledged.keys()].filter((to) => !to.startsWith(UNKNOWN))
  const lost = await lostOf(existing, [recipients], 90_000)
  run.line('1', '0 lost', `${lost.length} lost of ${existing.length}`, lost.length === 0)
  const { surprises } = ledger
  run.line('1', 'no answer but 202, 409, 429, 503', `${surprises.length} others`, surprises.length === 0)
  await untilSettled(here)
  const again = repeatsIn([recipients])
  const untraced = again.filter((copies) => !areSame(copies) || !deaths.some((at) => isAbout(copies[0]!.at, at)))
  const most = deaths.length * recipients.mostOpen
  run.line(
    '2',
    `twice only what was past its dot when a worker died, same bytes, at most ${deaths.length} deaths × ${recipients.mostOpen} connections`,
    `${again.length} twice, ${untraced.length} of them untraced`,
    untraced.length === 0 && again.length <= most,
  )
  await compareCounts(run, here, { ledger, recipients, receiver })
  for (const victim of ['worker', 'api', 'inbound', 'supervisor'] as const)
    run.hit(`kill -9 of the ${victim}`, kills.filter((kill) => kill.victim === victim).length)
  run.hit('senders cut off within DATA', recipients.cut.length)
  const counts = recipients.counts()
  run.hit('leases taken over, as their mail arrived later', recipients.cut.filter(({ to }) => counts.has(to)).length)
  run.hit('commits whose answer nobody heard', ledger.committedUnheard)
  run.hit('recipients refused for good', [...recipients.refused.keys()].filter((to) => to.startsWith(UNKNOWN)).length)
  run.hit('recipients put off', [...recipients.refused.keys()].filter((to) => to.startsWith(LATER)).length)
})

interface Ledgers {
  /** The clients'. */
  ledger: Ledger
  recipients: Recipients
  receiver: Receiver
}

/** The clients know what was accepted, the recipients' server whom it took, the receiver of webhooks when. */
async function compareCounts(
  run: Run,
  { api }: Installation,
  { ledger, recipients, receiver }: Ledgers,
): Promise<void> {
  const { acknowledged } = ledger
  const ended = (kind: string): Set<string> =>
    new Set([...toldTo(receiver).values()].filter((event) => event.kind === kind).map(({ recipient }) => recipient))
  const isTold = (): boolean => ended('delivered').size + ended('bounced').size === acknowledged.size
  await eventually('the end of every mail was told', isTold, 120_000).catch(() => {})
  const asSeen = new Set(recipients.counts().keys()).symmetricDifference(ended('delivered')).size
  const asRefused = [...acknowledged.keys()].filter((to) => to.startsWith(UNKNOWN) !== ended('bounced').has(to)).length
  const accepted = await acceptedIn(api)
  const happened = [...toldTo(receiver).values()].map(({ recipient, ...rest }) => ({
    ...rest,
    tag: `site:${tagsOf(recipient).site}`,
  }))
  const { cells, wrong } = await comparedCells(api, [...accepted, ...happened])
  run.line(
    '59',
    'every number by minute, kind and tag as counted outside',
    `${wrong.length} wrong of ${cells}${wrong.length > 0 ? `: ${wrong.slice(0, 3).join('; ')}` : ''}; ${asSeen + asRefused} recipients who ended otherwise than their server says`,
    wrong.length === 0 && asSeen + asRefused === 0 && accepted.length === acknowledged.size,
  )
}

function* posts({ from, api }: Installation, sites: readonly string[], mails: number): Generator<Post> {
  const names = Array.from({ length: mails }, (_, i) => `${nameOf(i)}@${sites[i % sites.length]}`)
  for (let i = 0; i < mails; i += ROW) {
    const row = names.slice(i, i + ROW)
    for (const one of row.slice(0, ALONE)) yield { api: () => api, from, to: [one], tagsOf }
    if (row.length > ALONE) yield { api: () => api, from, to: row.slice(ALONE), tagsOf }
  }
}

async function killUntil(done: Promise<unknown>, here: Installation, run: Run): Promise<Kill[]> {
  const kills: Kill[] = []
  const victims: Kill['victim'][] = ['worker', 'api', 'supervisor', 'inbound', 'worker', 'api', 'worker']
  const progress = { isDone: false }
  void done.finally(() => (progress.isDone = true))
  for (;;) {
    await Promise.race([done, sleep(run.between(3_000, 8_000))])
    if (progress.isDone) return kills
    const victim = victims[kills.length % victims.length] ?? 'worker'
    kills.push({ victim, at: performance.now() })
    if (victim !== 'supervisor') await here.kill(victim)
    else {
      here.node.signal('SIGKILL')
      await here.node.ended
      here.node = await here.node.again()
    }
  }
}

/** What may have left when a worker died is only sent once more a minute later, also if it had arrived. */
const untilSettled = ({ api }: Installation): Promise<unknown> =>
  eventually(
    'nothing is under way any more',
    async () => {
      const pages = await Promise.all(
        ['queued', 'deferred', 'sending'].map((status) =>
          api.get<{ data: unknown[] }>(`emails?status=${status}&limit=1`),
        ),
      )
      return pages.every(({ status, body }) => status === 200 && body.data.length === 0)
    },
    240_000,
  )

/** When workers died, by our hand or by their own. */
function watchWorkers(here: Installation): number[] {
  const deaths: number[] = []
  let alive = here.node.rolePids('worker')
  const timer = setInterval(() => {
    const now = here.node.rolePids('worker')
    for (const pid of alive) if (!now.includes(pid)) deaths.push(performance.now())
    alive = now
  }, LOOK_EVERY_MS)
  onTestFinished(() => clearInterval(timer))
  return deaths
}

/** Its reply was under way, or not yet on our disk. */
const isAbout = (arrivedAt: number, diedAt: number): boolean =>
  arrivedAt < diedAt + 500 && diedAt < arrivedAt + 2_000 + LOOK_EVERY_MS
