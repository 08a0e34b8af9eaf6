/**
 * Opens and clicks. Each is answered before it is written: an image that waits for a database is a mail that looks
 * broken, and one open that a crash forgets is no loss. What comes in together is written together, so that a newsletter
 * that everybody opens at nine costs the database a few statements a second.
 */
import type { BroadcastId } from '../../core/ids.ts'
import type { Log } from '../../core/log.ts'
import type { MailReference } from '../../core/mail-reference.ts'
import { Batch } from '../../dispatch/batch.ts'
import type { NewEvent, Publish } from '../../events/publish.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import * as store from './store/engagement.ts'

/** What a broadcast counts beside its deliveries: people, each once. */
export type Engaged = 'opens' | 'clicks' | 'unsubscribed'

export type CountEngaged = (tx: Tx, broadcast: BroadcastId, what: Engaged, people: number) => Promise<void>

/** A person followed a link in the mail of a broadcast, so many times. */
export interface Followed extends MailReference {
  broadcastId: BroadcastId
  url: string
  times: number
}

export interface Hit extends MailReference {
  kind: 'open' | 'click'
  /** The link of a click. */
  target?: string
  /** The program that fetched it, where that is known: `Gmail image proxy`. */
  visitor?: string | undefined
  isMachine: boolean
}

export interface EngagementOptions {
  db: Database
  log: Log
  counted: CountEngaged
  /** Called as the last part of the transaction, once for each reader and link. */
  followed(tx: Tx, followed: readonly Followed[]): Promise<void>
  publish: Publish
  /** Called when there are events to be told. */
  onTold(): void
}

/** A person does not read two pages within this time: a visitor that follows several links within it is a scanner. */
const GATHER_MS = 1_000
const MAX_AT_ONCE = 500
/** This many hits wait when they come in faster than the database takes them; the others are dropped. */
const MAX_WAITING = 20_000

export class Engagement {
  readonly #options: EngagementOptions
  readonly #batch: Batch<Hit, undefined>
  readonly #waiting = new Set<Promise<void>>()

  constructor(options: EngagementOptions) {
    this.#options = options
    this.#batch = new Batch((hits) => this.#record(hits), { most: MAX_AT_ONCE, gatherMs: GATHER_MS })
  }

  /** Returns at once. */
  note(hit: Hit): void {
    if (this.#waiting.size >= MAX_WAITING) return
    const written: Promise<void> = this.#batch
      .add(hit)
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'open or click not recorded'))
      .then(() => void this.#waiting.delete(written))
    this.#waiting.add(written)
  }

  /** Resolves when everything noted so far is written, or lost. */
  async settled(): Promise<void> {
    await Promise.all(this.#waiting)
  }

  async #record(hits: Hit[]): Promise<undefined[]> {
    const noted = Map.groupBy(hits, keyOf)
    const references = [...noted.values()].flatMap(([first]) => first ?? [])
    const isTold = await this.#options.db.transaction(async (tx) => {
      const readers = (await store.readers(tx, references)).map((reader) => {
        const own = (noted.get(keyOf(reader)) ?? []).filter((hit) => isAskedFor(reader, hit))
        return { reader, hits: withoutScans(own) }
      })
      return this.#write(
        tx,
        readers.filter((one) => one.hits.length > 0),
      )
    })
    if (isTold) this.#options.onTold()
    return hits.map(() => undefined)
  }

  /** Returns whether there is something to tell. */
  async #write(tx: Tx, seen: readonly Seen[]): Promise<boolean> {
    if (seen.length === 0) return false
    const rows = seen.map(({ reader, hits }) => ({ ...reader, ...countsOf(hits) }))
    const sums = new Map((await store.count(tx, rows)).map((sum) => [keyOf(sum), sum]))
    const firsts = seen.flatMap(({ reader, hits }) => firstsOf(reader, hits, sums.get(keyOf(reader))))
    await this.#options.publish(tx, firsts.map(eventOf))
    const counted = firsts.filter(({ hit, reader }) => !hit.isMachine && reader.broadcastId !== null)
    const byWhat = Map.groupBy(counted, ({ hit, reader }) => `${reader.broadcastId} ${wordOf(hit)}`)
    // In one order: two processes that count for the same broadcasts would else wait for each other.
    for (const [, group] of [...byWhat].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const [first] = group
      if (!first?.reader.broadcastId) continue
      await this.#options.counted(tx, first.reader.broadcastId, wordOf(first.hit), group.length)
    }
    await this.#options.followed(tx, seen.flatMap(followedBy))
    return firsts.some(({ hit }) => !hit.isMachine)
  }
}

interface Seen {
  reader: store.Reader
  hits: Hit[]
}

const keyOf = ({ emailId, position }: MailReference): string => `${emailId} ${position}`

const wordOf = ({ kind }: Hit): 'opens' | 'clicks' => (kind === 'open' ? 'opens' : 'clicks')

const isAskedFor = ({ tracking }: store.Reader, hit: Hit): boolean => tracking[wordOf(hit)]

/** Nobody follows several links of a mail within a second: that is a scanner that looks where each of them leads. */
function withoutScans(hits: Hit[]): Hit[] {
  const targets = new Set(hits.flatMap(({ target, isMachine }) => (isMachine ? [] : (target ?? []))))
  if (targets.size < 2) return hits
  return hits.map((hit) => (hit.kind === 'click' ? { ...hit, isMachine: true, visitor: hit.visitor ?? SCANNER } : hit))
}

const SCANNER = 'Link scanner'

/** The links that a reader of a broadcast followed; what machines do is no sign of interest. */
function followedBy({ reader: { emailId, position, broadcastId }, hits }: Seen): Followed[] {
  if (broadcastId === null) return []
  const urls = hits.flatMap(({ kind, target, isMachine }) => (kind === 'click' && !isMachine ? (target ?? []) : []))
  return [...Map.groupBy(urls, (url) => url)].map(([url, { length: times }]) => ({
    emailId,
    position,
    broadcastId,
    url,
    times,
  }))
}

const countsOf = (hits: readonly Hit[]): store.Counts => {
  const number = (kind: Hit['kind'], isMachine: boolean) =>
    hits.filter((hit) => hit.kind === kind && hit.isMachine === isMachine).length
  return {
    opens: number('open', false),
    clicks: number('click', false),
    machineOpens: number('open', true),
    machineClicks: number('click', true),
  }
}

interface First {
  reader: store.Reader
  hit: Hit
}

/** The hits before which no hit of the same kind was counted. */
function firstsOf(reader: store.Reader, hits: readonly Hit[], sums: store.Counts | undefined): First[] {
  const now = countsOf(hits)
  const first = (name: keyof store.Counts, kind: Hit['kind'], isMachine: boolean): First[] => {
    const hit = hits.find((one) => one.kind === kind && one.isMachine === isMachine)
    return hit && sums?.[name] === now[name] ? [{ reader, hit }] : []
  }
  return [
    ...first('machineOpens', 'open', true),
    ...first('opens', 'open', false),
    ...first('machineClicks', 'click', true),
    ...first('clicks', 'click', false),
  ]
}

/** A hit of a machine is shown with the email and no webhook tells it: it says nothing about the person. */
function eventOf({ reader, hit }: First): NewEvent {
  const { projectId, workspaceId, emailId, position, email } = reader
  return {
    projectId,
    workspaceId,
    kind: hit.kind === 'open' ? 'email.opened' : 'email.clicked',
    messageId: emailId,
    position,
    recipient: email,
    detail: detailOf(hit),
    isRepeated: hit.isMachine,
  }
}

function detailOf({ kind, target, visitor, isMachine }: Hit): string {
  const by = [visitor, isMachine && 'not counted as a person'].filter(Boolean).join(', ')
  const what = kind === 'open' ? 'Opened' : (target ?? '')
  return by === '' ? what : `${what} (${by})`
}
