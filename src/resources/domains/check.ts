/**
 * What can be said about the records of a domain by looking at the DNS. The hints are for people in front of a DNS
 * panel, which is where most of the trouble is made.
 */
import type { Answer, Dns, ZoneDns } from '../../net/dns.ts'
import { howToCreate, lastSeen, zoneOf, type Looked, type WantedRecord } from './records.ts'
import type { Seen } from './schema.ts'

/** Unanswered: nothing is known to be missing, but not everything was answered. */
export type Verdict = 'complete' | 'incomplete' | 'unanswered'

export interface Check {
  verdict: Verdict
  seen: Seen[]
  /** The selectors of keys whose records are there. */
  published: string[]
  /** The servers of the zone, where they were asked for and found. */
  nameServers?: readonly string[] | undefined
}

export async function checkRecords(
  wanted: readonly WantedRecord[],
  { seen: before, readAt }: Looked,
  dns: ZoneDns,
): Promise<Check> {
  const askedAt = new Date(readAt).toISOString()
  const looks = await Promise.all(
    wanted.map(async (record): Promise<Look> => {
      const [seen, lifetime] = await Promise.all([lookAt(record, dns), dns.lifetime(record.name, record.type)])
      const source = { askedAt, askedOf: lifetime?.server ?? null, ttl: lifetime?.ttlSeconds ?? null }
      return { record, seen: seen && { ...seen, ...source } }
    }),
  )
  return {
    verdict: verdictOn(looks),
    seen: looks.map(({ record, seen }) => seen ?? { ...lastSeen(record, before), hint: NO_ANSWER }),
    published: looks.flatMap(({ record, seen }) =>
      record.key !== null && seen?.status === 'verified' ? [record.key.selector] : [],
    ),
  }
}

interface Look {
  record: WantedRecord
  /** Undefined when no server answered: then what was known before still stands. */
  seen: Seen | undefined
}

const NO_ANSWER = 'The DNS servers of the domain gave no answer at the last check. We ask again by ourselves.'

function verdictOn(looks: readonly Look[]): Verdict {
  const needed = looks.filter(({ record }) => record.required || isSuccessor(record))
  const verdicts = [...Map.groupBy(needed, ({ record }) => record.purpose).values()].map(verdictOnPurpose)
  return verdicts.find((each) => each === 'incomplete') ?? verdicts.find((each) => each === 'unanswered') ?? 'complete'
}

/** A client that replaced the old key's record by the new one's has a published key all the same. */
const isSuccessor = ({ key }: WantedRecord): boolean => key?.algorithm === 'rsa' && key.state === 'pending'

function verdictOnPurpose(looks: readonly Look[]): Verdict {
  if (looks.some(({ seen }) => seen?.status === 'verified')) return 'complete'
  return looks.some(({ seen }) => seen === undefined) ? 'unanswered' : 'incomplete'
}

async function lookAt(record: WantedRecord, dns: Dns): Promise<Seen | undefined> {
  const { purpose, name, value, type } = record
  const found = await valuesAt(name, type, dns)
  if (found === undefined) return undefined
  const related = found.filter((each) => isRelated(record, each))
  const observed = found.slice(0, MAX_SHOWN).map(presentable)
  if (fits(record, related)) {
    return { purpose, name, value, status: 'verified', observed, hint: await caveat(record, related, dns) }
  }
  const hint = await advice(record, related, dns)
  return { purpose, name, value, status: related.length > 0 ? 'mismatch' : 'pending', observed, hint }
}

/** Always the servers' own answer: a person may be waiting for a record to appear. */
async function valuesAt(name: string, type: WantedRecord['type'], dns: Dns): Promise<string[] | undefined> {
  const fresh = { fresh: true }
  switch (type) {
    case 'TXT':
      return texts(await dns.txt(name, fresh), (text) => text)
    case 'MX':
      return texts(await dns.mx(name, fresh), ({ preference, exchange }) => `${preference} ${exchange}`)
    case 'CNAME':
      return texts(await dns.cname(name, fresh), (target) => target)
  }
}

function texts<T>(answer: Answer<T>, text: (record: T) => string): string[] | undefined {
  if (answer.kind === 'temporary') return undefined
  return answer.kind === 'found' ? answer.records.map(text) : []
}

/** Something that was meant to be this record, as opposed to something else that lives at the same name. */
function isRelated({ purpose }: WantedRecord, found: string): boolean {
  if (purpose === 'dkim') return /\bp\s*=/.test(found)
  if (purpose === 'return-path-spf') return /^["\s]*v=spf1/i.test(found)
  if (purpose === 'dmarc') return isDmarc(found)
  if (purpose === 'receiving-tls-reports') return /^["\s]*v=TLSRPTv1/i.test(found)
  if (purpose === 'receiving-proof') return /^["\s]*posthouse-receiving=/i.test(found)
  return true
}

export const isDmarc = (found: string): boolean => /^["\s]*v=DMARC1/i.test(found)

/** Whether receivers will find with these what they would find with the record as we wrote it. */
function fits({ purpose, value }: WantedRecord, related: readonly string[]): boolean {
  const [first] = related
  if (first === undefined) return false
  switch (purpose) {
    case 'dkim':
      return related.every((each) => isSameKey(each, value))
    case 'return-path-spf':
      // RFC 7208 §4.5: two are an error, even if each of them were right.
      return related.length === 1 && (namesHost(first, value) || namesHost(first, formerSpf(value)))
    case 'dmarc':
      return related.length === 1 && /^v\s*=\s*DMARC1\s*;/.test(first)
    // RFC 8460 §3: reports may go to whom they like, and to several.
    case 'receiving-tls-reports':
      return related.length === 1 && /^v\s*=\s*TLSRPTv1\s*;/.test(first)
    // Several projects may prove that they were given the name, one after the other.
    case 'receiving-proof':
      return related.includes(value)
    case 'receiving-mx':
    case 'return-path-mx':
      return preferredExchanges(related).includes(value)
    case 'tracking':
      return first === value
  }
}

/** RFC 6376 §3.6.1: `v`, if there, comes first and is DKIM1; `k` is rsa unless it says otherwise; `p` may be spaced. */
function isSameKey(found: string, wanted: string): boolean {
  const [there, ours] = [tagsOf(found), tagsOf(wanted)]
  const isVersionOne = !there.has('v') || /^\s*v\s*=\s*DKIM1\s*(;|$)/.test(found)
  return isVersionOne && (there.get('k') ?? 'rsa') === ours.get('k') && there.get('p') === ours.get('p')
}

const tagsOf = (text: string): Map<string, string> =>
  new Map(
    text.split(';').map((tag) => {
      const [name = '', ...value] = tag.split('=')
      return [name.trim(), value.join('=').replaceAll(/\s/g, '')]
    }),
  )

/** What version 0.1 asked for, and is as good. */
const formerSpf = (wanted: string): string => wanted.replace(' include:_spf.', ' a:')

const namesHost = (found: string, wanted: string): boolean => {
  const [version, ...terms] = found.toLowerCase().split(/ +/)
  const mechanism = wanted.split(' ')[1] ?? ''
  return version === 'v=spf1' && (terms.includes(mechanism) || terms.includes(`+${mechanism}`))
}

function preferredExchanges(found: readonly string[]): string[] {
  const records = found.map((each) => each.split(' '))
  const best = Math.min(...records.map(([preference]) => Number(preference)))
  return records.filter(([preference]) => Number(preference) === best).map(([, exchange = '']) => exchange)
}

/** Enough to recognise what is there. It comes from strangers and goes into the database and onto screens. */
const presentable = (text: string): string =>
  text
    .slice(0, MAX_SHOWN_LENGTH)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '\ufffd')

const MAX_SHOWN = 10
const MAX_SHOWN_LENGTH = 1_000

/**
 * What to know about a record that is as it should be. What an SPF record includes has to exist (RFC 7208 §5.2), and that
 * is up to the operator: whoever owns the domain has done their part, so it does not keep the domain from being verified.
 */
async function caveat(record: WantedRecord, [found = '']: readonly string[], dns: Dns): Promise<string | null> {
  const { purpose, value } = record
  if (purpose === 'dmarc') return reportsCaveat(record, found, dns)
  const [, included] = / include:(\S+)/.exec(value) ?? []
  if (purpose !== 'return-path-spf' || included === undefined || !namesHost(found, value)) return null
  const answer = await valuesAt(included, 'TXT', dns)
  if (answer === undefined || answer.some((text) => /^v=spf1( |$)/i.test(text))) return null
  return (
    `The record is right, but it refers to ${included}, where there is no SPF record: until there is one, receivers ` +
    'cannot check where your mail comes from. Ask the operator of this installation to create it.'
  )
}

/**
 * Reports to another zone are sent only where that zone agrees (RFC 9990, before that RFC 7489 §7.1), which is up to the
 * operator as well.
 */
async function reportsCaveat({ name, value }: WantedRecord, found: string, dns: Dns): Promise<string | null> {
  const [, address = '', host = ''] = /rua=mailto:(\S+@(\S+))$/.exec(value) ?? []
  const domain = name.replace(/^_dmarc\./, '')
  if (!found.toLowerCase().includes(address) || zoneOf(host) === zoneOf(domain)) return null
  const answer = await valuesAt(`${domain}._report._dmarc.${host}`, 'TXT', dns)
  if (answer === undefined || answer.some((text) => /^v\s*=\s*DMARC1\b/.test(text))) return null
  return (
    `The record is right, but receivers send no reports to ${host} until there is a TXT record v=DMARC1 at ` +
    `*._report._dmarc.${host}. Ask the operator of this installation to create it.`
  )
}

async function advice(record: WantedRecord, related: readonly string[], dns: Dns): Promise<string | null> {
  const { purpose, type, name, host, value } = record
  const twice = `${name}.${zoneOf(name)}`
  const [alias = [], doubled = []] = await Promise.all([
    type === 'CNAME' ? [] : valuesAt(name, 'CNAME', dns),
    related.length > 0 ? [] : valuesAt(twice, type, dns),
  ])
  if (alias.length > 0) return `There is a CNAME record at ${name}, which hides everything else there. Remove it.`
  if (fits(record, doubled)) {
    return `The record is at ${twice}: your DNS panel appends the zone by itself. Enter "${host}" as its name.`
  }
  if (related.length === 0) return howToCreate(record)
  if (type === 'TXT' && purpose !== 'receiving-proof' && related.length > 1) {
    return `There are ${related.length} records of this kind at ${name}; receivers want exactly one. Keep only the one with the value shown here.`
  }
  if (fits(record, related.map(unquoted))) {
    return `The value at ${name} has quotation marks or backslashes in it. Enter it without them.`
  }
  if (type === 'MX') return `Mail for ${name} goes elsewhere first. Let ${value} be the only MX record there.`
  return `There is another ${type} record at ${name}. Replace its value by the one shown here.`
}

const unquoted = (text: string): string => text.replaceAll(/["\\]/g, '')
