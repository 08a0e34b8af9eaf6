/**
 * Reads the XML of a DMARC aggregate report, as RFC 7489 appendix C and RFC 9990 define it and as reporters write it: with
 * or without a namespace, elements in any order, some missing. One pass from left to right; what it keeps has a limit
 * that does not depend on the report. Entities that a document declares are not known here, so none is ever expanded.
 */
import { isIP } from 'node:net'
import { Parser } from 'htmlparser2'
import ipaddr from 'ipaddr.js'
import { dmarcPolicies, type DmarcPolicy } from '../dmarc-record.ts'
import { checkedTotal, countOf, dayBetween, domainNamed, wordOf } from './report-words.ts'
import { Unreadable } from './unreadable.ts'

/** What a policy asks for, and what a receiver did. */
export type Disposition = DmarcPolicy

/** Messages from one address with one result. */
export interface DmarcSum {
  /** Null for all addresses beyond those that are kept apart. */
  source: string | null
  disposition: Disposition
  dkimAligned: boolean
  spfAligned: boolean
  messages: number
}

export interface DmarcReport {
  kind: 'dmarc'
  reporter: string
  reportId: string
  /** Whose policy it is about. */
  domain: string
  day: string
  /** The largest first. */
  sums: DmarcSum[]
}

/** Real reports have seven levels. The parser's work grows with the square of the depth. */
const MAX_DEPTH = 20
/** Forty thousand rows have so many. */
const MAX_ELEMENTS = 800_000
const MAX_TEXT_LENGTH = 1_000
/** While reading; of these so many are kept apart. What is beyond is counted without its address. */
const MAX_SUMS = 10_000
const MAX_KEPT_SUMS = 1_000
const PIECE = 16_384

/** Throws `Unreadable`. */
export function readDmarcReport(xml: string): DmarcReport {
  const reader = new Reader()
  const parser = new Parser(
    {
      onopentagname: (name) => reader.open(name),
      ontext: (text) => reader.text(text),
      onclosetag: () => reader.close(),
    },
    { xmlMode: true },
  )
  for (let at = 0; at < xml.length; at += PIECE) parser.write(xml.slice(at, at + PIECE))
  // What is still open now would be closed by the parser as if it had been complete.
  return reader.report()
}

interface Row {
  source?: string
  count?: string
  disposition?: string
  dkim?: string
  spf?: string
}

type Fact = 'reporter' | 'contact' | 'reportId' | 'begin' | 'end' | 'domain'

/** An element that is read, with those inside it. */
interface Wanted {
  fact?: Fact
  field?: keyof Row
  isRecord?: true
  inside?: Readonly<Record<string, Wanted>>
}

const range: Wanted = { inside: { begin: { fact: 'begin' }, end: { fact: 'end' } } }
const result: Wanted = {
  inside: { disposition: { field: 'disposition' }, dkim: { field: 'dkim' }, spf: { field: 'spf' } },
}
const row: Wanted = { inside: { source_ip: { field: 'source' }, count: { field: 'count' }, policy_evaluated: result } }
const metadata: Wanted = {
  inside: {
    org_name: { fact: 'reporter' },
    email: { fact: 'contact' },
    report_id: { fact: 'reportId' },
    date_range: range,
  },
}
const feedback: Wanted = {
  inside: {
    report_metadata: metadata,
    policy_published: { inside: { domain: { fact: 'domain' } } },
    record: { isRecord: true, inside: { row } },
  },
}
const unwanted: Wanted = {}

class Reader {
  /** The elements that are open. */
  readonly #path: Wanted[] = []
  readonly #facts = new Map<Fact, string>()
  readonly #sums = new Sums()
  #elements = 0
  #text = ''
  #row: Row = {}
  #isClosed = false

  open(name: string): void {
    const local = name.slice(name.lastIndexOf(':') + 1).toLowerCase()
    const around = this.#path.at(-1)
    if (around === undefined && (this.#isClosed || local !== 'feedback')) throw new Unreadable('no report')
    if (++this.#elements > MAX_ELEMENTS) throw new Unreadable('it has too many elements')
    const element = around === undefined ? feedback : insideOf(around, local)
    if (this.#path.push(element) > MAX_DEPTH) throw new Unreadable('its elements are nested too deep')
    this.#text = ''
  }

  text(text: string): void {
    const { fact, field } = this.#path.at(-1) ?? unwanted
    if ((fact ?? field) !== undefined && this.#text.length < MAX_TEXT_LENGTH)
      this.#text += text.slice(0, MAX_TEXT_LENGTH)
  }

  close(): void {
    const { fact, field, isRecord } = this.#path.pop() ?? unwanted
    if (fact !== undefined) this.#learn(fact, this.#text.trim())
    if (field !== undefined) this.#row[field] = this.#text.trim()
    if (isRecord) {
      this.#sums.add(this.#row)
      this.#row = {}
    }
    this.#text = ''
    this.#isClosed = this.#path.length === 0
  }

  report(): DmarcReport {
    if (!this.#isClosed) throw new Unreadable('it is cut off')
    const [begin, end] = [this.#seconds('begin'), this.#seconds('end')]
    const domain = domainNamed(this.#facts.get('domain') ?? '')
    const reporter = wordOf(this.#facts.get('reporter') || (this.#facts.get('contact') ?? ''))
    const reportId = wordOf(this.#facts.get('reportId') ?? '')
    if (domain === undefined || reporter === '' || reportId === '')
      throw new Unreadable('it does not say whose it is, or about whom')
    return { kind: 'dmarc', reporter, reportId, domain, day: dayBetween(begin, end), sums: this.#sums.largest() }
  }

  /** Said twice, and differently, nobody knows which one counts. */
  #learn(fact: Fact, text: string): void {
    if ((this.#facts.get(fact) ?? text) !== text) throw new Unreadable('it says two things about itself')
    this.#facts.set(fact, text)
  }

  #seconds(fact: Fact): number {
    const text = this.#facts.get(fact) ?? ''
    return /^\d{1,12}$/.test(text) ? Number(text) * 1_000 : Number.NaN
  }
}

class Sums {
  readonly #sums = new Map<string, DmarcSum>()
  #rows = 0
  #total = 0

  add(row: Row): void {
    this.#rows++
    const [source, messages] = [sourceOf(row.source ?? ''), countOf(row.count)]
    if (source === undefined || messages === undefined || messages === 0) return
    this.#total = checkedTotal(this.#total + messages)
    const result = {
      disposition: dispositionOf(row.disposition),
      dkimAligned: row.dkim?.toLowerCase() === 'pass',
      spfAligned: row.spf?.toLowerCase() === 'pass',
    }
    if (!addTo(this.#sums, { source, ...result, messages }, MAX_SUMS)) {
      addTo(this.#sums, { source: null, ...result, messages }, Infinity)
    }
  }

  largest(): DmarcSum[] {
    if (this.#rows > 0 && this.#total === 0) throw new Unreadable('none of its rows makes sense')
    return folded([...this.#sums.values()], MAX_KEPT_SUMS)
  }
}

/** The largest sums stay as they are; the addresses of the others are left out. */
export function folded(sums: readonly DmarcSum[], most: number): DmarcSum[] {
  const sorted = sums.toSorted((a, b) => b.messages - a.messages)
  const kept = new Map<string, DmarcSum>()
  for (const [at, sum] of sorted.entries()) addTo(kept, at < most ? sum : { ...sum, source: null }, Infinity)
  return [...kept.values()]
}

/** False when there are so many sums already, and none like it. */
function addTo(sums: Map<string, DmarcSum>, sum: DmarcSum, most: number): boolean {
  const key = `${sum.source} ${sum.disposition} ${sum.dkimAligned} ${sum.spfAligned}`
  const known = sums.get(key)
  if (known === undefined && sums.size >= most) return false
  sums.set(key, { ...sum, messages: sum.messages + (known?.messages ?? 0) })
  return true
}

const insideOf = ({ inside }: Wanted, name: string): Wanted =>
  (inside !== undefined && Object.hasOwn(inside, name) ? inside[name] : undefined) ?? unwanted

/** In one spelling; undefined for what is no address. */
function sourceOf(text: string): string | undefined {
  return isIP(text) === 0 || text.includes('%') ? undefined : ipaddr.process(text).toString()
}

/** RFC 9990 adds `pass` for what passed under a policy; nothing was done to it either. */
function dispositionOf(text = ''): Disposition {
  const word = text.toLowerCase()
  return dmarcPolicies.find((one) => one === word) ?? 'none'
}
