import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeId, encodeId, newId, type ProjectId } from '../../src/core/ids.ts'
import { recipientRefOf, type Delivered, type DueDelivery } from '../../src/resources/emails/index.ts'
import { sql } from '../../src/storage/sql.ts'
import { stopClock } from '../support/clock.ts'
import { mailWorld, type MailWorld } from '../support/mail-world.ts'
import { runs } from '../support/runs.ts'
import { seedFor } from '../support/seed.ts'
import {
  filterLike,
  fits,
  foldNow,
  keysOf,
  shownBy,
  type Counts,
  type Happened,
  type MailNumbers,
  checkLatency,
  checkPeriods,
} from '../support/statistics.ts'
import { accepted, created } from '../support/world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Clocks are put in Adelaide and on Lord Howe at the beginning, in Europe, Cairo and New York towards the end. */
const START = Date.UTC(2026, 9, 1)
const END = Date.UTC(2026, 10, 4)

/** The domains of recipients, with whose server takes their mail. */
const receivers: Readonly<Record<string, { site: string; host: string; provider: string }>> = {
  'one.test': { site: 'google', host: 'aspmx.l.google.com', provider: 'google' },
  'two.test': { site: 'microsoft', host: 'two-test.mail.protection.outlook.com', provider: 'microsoft' },
  'three.test': { site: 'mx.three.test', host: 'mx.three.test', provider: 'other' },
}

const zones = [
  'UTC',
  'Europe/Zurich',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Adelaide',
  'Africa/Cairo',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'America/St_Johns',
]

test('every cell of random questions is what happened, however the counts were moved meanwhile', async () => {
  const seed = seedFor('statistics')
  const story = new Story(await mailWorld({ workers: 0 }))
  await story.prepare()
  const deeds = fc.sample(deed, { seed, numRuns: runs(150) })
  const moments = deeds.map(({ share }) => START + share * (END - START)).toSorted((a, b) => a - b)
  // Several at one moment: a moved clock is expensive.
  for (const [i, { kind, dice }] of deeds.entries()) await story.happen(kind, dice, Math.floor(moments[i - (i % 5)]!))
  await story.open(END + HOUR)
  for (const wish of fc.sample(question, { seed, numRuns: runs(200) })) await story.ask(wish)
}, 600_000)

/** Without a liking for the ends. */
const anyShare = fc.noBias(fc.nat(999_999)).map((millionths) => millionths / 1_000_000)

const deed = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant('send' as const) },
    { weight: 2, arbitrary: fc.constant('mailing' as const) },
    { weight: 8, arbitrary: fc.constant('try' as const) },
    { weight: 2, arbitrary: fc.constant('report' as const) },
    { weight: 3, arbitrary: fc.constant('pause' as const) },
    { weight: 4, arbitrary: fc.constant('fold' as const) },
  ),
  share: anyShare,
  dice: fc.array(fc.noBias(fc.nat(1_000_000)), { minLength: 12, maxLength: 12 }),
})

const question = fc.record({
  step: fc.constantFrom('minute', 'hour', 'day'),
  timeZone: fc.constantFrom(...zones),
  groupBy: fc.constantFrom(undefined, 'domain', 'provider', 'source', 'template', 'tag'),
  from: anyShare,
  length: anyShare,
  filters: fc.array(fc.constantFrom('domain', 'provider', 'source', 'template', 'tag'), { maxLength: 2 }),
  example: fc.noBias(fc.nat(1_000_000)),
})

type Wish = typeof question extends fc.Arbitrary<infer T> ? T : never

interface Recipient {
  id: string
  position: number
  dueSince: number
  facts: Omit<Happened, 'at' | 'kind' | 'ms'>
}

class Story {
  readonly here: MailWorld
  readonly ledger: Happened[] = []
  readonly unfinished: Recipient[] = []
  readonly delivered: Recipient[] = []
  #domains: { id: string; name: string }[] = []
  #templates: (string | null)[] = []
  #broadcast = ''
  #now = START
  #sent = 0

  constructor(here: MailWorld) {
    this.here = here
  }

  async prepare(): Promise<void> {
    const { projectApi, services, verifiedDomain, db } = this.here
    this.#domains = [
      { id: await verifiedDomain('first.example'), name: 'first.example' },
      { id: await verifiedDomain('second.example'), name: 'second.example' },
    ]
    const template = { name: 'One', subject: 'Hi', html: '<p>Hi</p>' }
    const made = created(await projectApi.post<{ id: string }>('templates', template)).id
    this.#templates = [null, made]
    await stopClock(db, START)
    const routes = Object.entries(receivers).map(([domain, { site }]) => ({ domain, site }))
    await services.deliveries.learnRoutes(routes)
    created(await projectApi.post('suppressions', { email: 'unwanted@three.test' }))
    this.#broadcast = newId<'brd'>()
  }

  async happen(kind: (typeof deed extends fc.Arbitrary<infer T> ? T : never)['kind'], dice: number[], at: number) {
    if (at !== this.#now) await stopClock(this.here.db, at)
    this.#now = at
    if (kind === 'send') await this.#send(dice)
    if (kind === 'mailing') await this.#mailing(dice)
    if (kind === 'try') await this.#try(dice)
    if (kind === 'report') await this.#report(dice)
    if (kind === 'pause') await this.#pause(dice)
    if (kind === 'fold') await foldNow(this.here)
  }

  async #send(dice: number[]): Promise<void> {
    const from = pick(this.#domains, dice[0]!)
    const template = pick(this.#templates, dice[1]!)
    const tags = {
      ...(dice[2]! % 2 === 0 && { kind: pick(['welcome', 'receipt'], dice[3]!) }),
      ...(dice[2]! % 3 === 0 && { plan: 'pro' }),
    }
    const domains = [dice[4]!, dice[5]!].slice(0, 1 + (dice[6]! % 2)).map((die) => pick(Object.keys(receivers), die))
    const to = domains.map((domain) => `user${this.#sent++}@${domain}`)
    const unwanted = dice[7]! % 5 === 0
    const reply = await this.here.projectApi.post<{ id: string }>('email/send', {
      from: `hello@${from.name}`,
      to: [...to, ...(unwanted ? ['unwanted@three.test'] : [])],
      ...(template === null ? { subject: 'Hi', text: 'Hi' } : { templateId: template }),
      tags,
      tracking: { opens: true, clicks: true },
    })
    const { id } = accepted(reply)
    const facts = {
      domain: from.id,
      source: 'transactional',
      template,
      tags: Object.entries(tags).map(([name, value]) => `${name}:${value}`),
    }
    for (const [position, domain] of domains.entries()) {
      const all = { ...facts, provider: receivers[domain]!.provider }
      this.#count('accepted', all)
      this.unfinished.push({ id, position, dueSince: this.#now, facts: all })
    }
    if (unwanted) for (const kind of ['accepted', 'suppressed']) this.#count(kind, { ...facts, provider: 'other' })
  }

  /** Mail to contacts, as broadcasts and automations make it. */
  async #mailing(dice: number[]): Promise<void> {
    const { services, db, projectId } = this.here
    const project = decodeId('prj', projectId) as ProjectId
    const from = pick(this.#domains, dice[0]!)
    const isBroadcast = dice[1]! % 2 === 0
    const domain = pick(Object.keys(receivers), dice[2]!)
    const content = {
      from: parsed(`hello@${from.name}`),
      replyTo: [],
      subject: 'News',
      html: '<p>News</p>',
      text: null,
    }
    const template = pick(this.#templates, dice[3]!)
    const templateId = template === null ? null : (decodeId('tpl', template) ?? null)
    const contact = {
      id: newId<'con'>(),
      email: `contact${this.#sent++}@${domain}`,
      firstName: null,
      lastName: null,
      properties: {},
    }
    const [email] = await db.transaction(async (tx) => {
      const whole = {
        ...content,
        templateId,
        templateVersion: templateId && 1,
        variables: {},
        merge: { declared: [], preview: '' },
      }
      const contentId = await services.mailings.store(tx, project, whole)
      const sender = { domainId: decodeId('dom', from.id)!, tracking: { opens: true, clicks: true } }
      const origin = isBroadcast ? { broadcastId: this.#broadcast as never } : { runId: newId<'run'>(), step: 'one' }
      const wished = { projectId: project, contentId, sender, addresses: content, contact, origin }
      // The second one is the same email: it is there already, and is neither made nor counted.
      expect(await services.mailings.create(tx, [wished])).toBe(1)
      expect(await services.mailings.create(tx, [wished])).toBe(0)
      return tx.all(sql<{ id: string }>`select id from emails where content_id = ${contentId}`)
    })
    const facts = {
      domain: from.id,
      source: isBroadcast ? 'broadcast' : 'automation',
      template,
      tags: [],
      provider: receivers[domain]!.provider,
    }
    this.#count('accepted', facts)
    this.unfinished.push({ id: encodeId('em', email!.id as never), position: 0, dueSince: this.#now, facts })
  }

  /** What a worker records of a few attempts. */
  async #try(dice: number[]): Promise<void> {
    const { db, services } = this.here
    const chosen = new Set(dice.slice(0, 4).map((die) => this.unfinished[die % Math.max(1, this.unfinished.length)]!))
    const settled: { id: string; outcome: Delivered }[] = []
    for (const [i, recipient] of [...chosen].entries()) {
      if (recipient === undefined) continue
      const [row] = await db.all(
        sql<{
          id: string
        }>`select id from deliveries where email_id = ${decodeId('em', recipient.id)} and position = ${recipient.position}`,
      )
      const [due] = await services.deliveries.load([row!.id])
      settled.push({ id: row!.id, outcome: this.#outcome(recipient, due!, dice[4 + i]!) })
    }
    if (settled.length > 0) await db.transaction((tx) => services.deliveries.record(tx, settled))
  }

  /** Mail that is put aside because its destination is paused. No server says anything, and nothing is counted. */
  async #pause(dice: number[]): Promise<void> {
    const { db, services, projectApi } = this.here
    // The contacts of mailings are made up, and nothing would hold mail to them.
    const real = this.unfinished.filter(({ facts }) => facts.source === 'transactional')
    const recipient = real[dice[0]! % Math.max(1, real.length)]
    if (recipient === undefined) return
    const { id, destination } = await db.one(sql<{ id: string; destination: string }>`
      select id, destination from deliveries
       where email_id = ${decodeId('em', recipient.id)} and position = ${recipient.position}`)
    succeeded(await projectApi.post(`queue/${destination}/pause`))
    const [due] = await services.deliveries.load([id])
    const outcome = { kind: 'withheld' as const, recipient: recipientRefOf(due!) }
    await db.transaction((tx) => services.deliveries.record(tx, [{ id, outcome }]))
    expect(await db.one(sql`select state from deliveries where id = ${id}`)).toEqual({ state: 'held' })
    succeeded(await projectApi.post(`queue/${destination}/resume`))
    await services.deliveries.releaseHeld()
    expect(await db.one(sql`select state from deliveries where id = ${id}`)).toEqual({ state: 'ready' })
  }

  #outcome(recipient: Recipient, due: DueDelivery, die: number): Delivered {
    const ref = recipientRefOf(due)
    const { facts } = recipient
    const { host } = receivers[ref.email.split('@')[1]!]!
    // Half of the time nobody was asked, and the provider follows from what is known of the domain.
    const smtp = die % 2 === 0 ? { smtp: { host } } : {}
    if (die % 10 < 3) {
      if (due.attempts === 0) this.#count('deferred', facts)
      return {
        kind: 'deferred',
        afterMs: 60_000,
        detail: '451 later',
        isRepeated: due.attempts > 0,
        recipient: ref,
        ...smtp,
      }
    }
    this.unfinished.splice(this.unfinished.indexOf(recipient), 1)
    const state = pick(
      [
        'delivered',
        'delivered',
        'delivered',
        'bounced',
        'filteredspam',
        'quarantined',
        'failed',
        'suppressed',
      ] as const,
      die >> 4,
    )
    const complaint = state === 'delivered' && die % 7 === 0 ? { complaint: 'It is spam.' } : {}
    this.#count(state, facts, state === 'delivered' ? this.#now - recipient.dueSince : undefined)
    if ('complaint' in complaint) this.#count('filteredspam', facts)
    else if (state === 'delivered') this.delivered.push(recipient)
    return { kind: 'finished', state, detail: 'So it ended.', recipient: ref, ...smtp, ...complaint }
  }

  /** A bounce or a complaint that comes back after a delivery. */
  async #report(dice: number[]): Promise<void> {
    const { db, services } = this.here
    const [recipient] = this.delivered.splice(dice[0]! % Math.max(1, this.delivered.length), 1)
    if (recipient === undefined) return
    const state = pick(['bounced', 'filteredspam', 'failed'] as const, dice[1]!)
    const reference = { emailId: decodeId('em', recipient.id)!, position: recipient.position }
    const report = { state, detail: 'It came back.' }
    expect(await db.transaction((tx) => services.deliveries.recordReport(tx, reference, report))).toBe('recorded')
    this.#count(state, recipient.facts)
  }

  /** Everybody who got something opens it twice, and some follow a link; machines do so before, and do not count. */
  async open(at: number): Promise<void> {
    const { db, services } = this.here
    this.#now = at
    await stopClock(db, at)
    for (const { id, position, facts } of this.delivered) {
      const reference = { emailId: decodeId('em', id)!, position }
      services.engagement.note({ ...reference, kind: 'open', isMachine: true })
      services.engagement.note({ ...reference, kind: 'open', isMachine: false })
      services.engagement.note({ ...reference, kind: 'open', isMachine: false })
      this.#count('opened', facts)
      if (facts.provider !== 'google') continue
      services.engagement.note({ ...reference, kind: 'click', target: 'https://example.com', isMachine: false })
      this.#count('clicked', facts)
    }
    await services.engagement.settled()
  }

  /** Asks for numbers and compares every one with the ledger. */
  async ask({ step, timeZone, groupBy, from: share, length, filters, example }: Wish): Promise<void> {
    const [earliest, longest] = {
      minute: [END - 6 * DAY, DAY] as const,
      hour: [START, 40 * DAY] as const,
      day: [START - DAY, 40 * DAY] as const,
    }[step]!
    const from = Math.floor(earliest + share * (END - earliest))
    const to = from + Math.floor(1 + length * (longest - 1))
    const like = this.ledger[example % this.ledger.length]!
    const wished = Object.fromEntries(filters.flatMap((name) => filterLike(name, like)))
    const query = new URLSearchParams({
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      step,
      timeZone,
      ...(groupBy && { groupBy }),
      ...wished,
    })
    const { status, body, text } = await this.here.projectApi.get<MailNumbers>(`statistics/emails?${query}`)
    expect(status, `${query} ${text}`).toBe(200)
    const [begin, end] = [Date.parse(body.from), Date.parse(body.to)]
    expect(begin <= from && end >= to, `${query}`).toBe(true)
    checkPeriods(step, timeZone, body)
    const counted = this.ledger.filter((one) => one.at >= begin && one.at < end && fits(one, wished))
    const expected = new Map<string, Counts>()
    const latencies = new Map<string | null, number[]>()
    for (const one of counted) {
      for (const key of keysOf(one, groupBy, wished['tag'])) {
        const cell = `${key} ${shownBy(timeZone, step, one.at)}`
        const counts = expected.get(cell) ?? {}
        expected.set(cell, { ...counts, [one.kind]: (counts[one.kind] ?? 0) + 1 })
        if (one.ms !== undefined) latencies.set(key, [...(latencies.get(key) ?? []), one.ms])
      }
    }
    const found = new Map<string, Counts>()
    for (const { key, points, latency } of body.series) {
      for (const { at, ...counts } of points) {
        const happened = Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))
        if (Object.keys(happened).length > 0) found.set(`${key} ${shownBy(timeZone, step, Date.parse(at))}`, happened)
      }
      checkLatency(latency.p50, latencies.get(key) ?? [], 0.5)
      checkLatency(latency.p95, latencies.get(key) ?? [], 0.95)
    }
    expect(sorted(found), `${query}`).toEqual(sorted(expected))
  }

  #count(kind: string, facts: Recipient['facts'], ms?: number): void {
    this.ledger.push({ at: this.#now, kind, ...facts, ...(ms === undefined ? {} : { ms }) })
  }
}

const succeeded = ({ status, text }: { status: number; text: string }): void => expect(status, text).toBe(200)

const pick = <T>(from: readonly T[], die: number): T => from[die % from.length]!

const parsed = (email: string) => {
  const [local = '', domain = ''] = email.split('@')
  return { name: '', local, domain, email, needsSmtpUtf8: false }
}

const sorted = (cells: Map<string, Counts>) => Object.fromEntries([...cells].toSorted(([a], [b]) => (a < b ? -1 : 1)))
