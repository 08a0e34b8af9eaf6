import { identifier, sql, type Query } from '../../../storage/sql.ts'
import { grains, mailCounts, webhookCounts, type Grain } from '../kinds.ts'
import { LATENCY_CLASSES } from '../limits.ts'

/** Tables that are alike: what was added, and what it was moved into. */
export interface Family {
  added: Query<never>
  tables: Readonly<Record<Grain, Query<never>>>
  /** The columns that rows can be sorted by. */
  names: readonly string[]
  counts: readonly string[]
  /** What a row of `added` counts. */
  amount: Query<never>
  /** The combinations of names that are kept, for rows with a tag and for others. */
  parts: readonly { where: Query<never>; sets: readonly (readonly string[])[] }[]
}

const ownNames = ['domain_id', 'provider', 'source', 'template_id'] as const

export const mailFamily: Family = {
  added: sql<never>`statistics_added`,
  tables: tablesOf('statistics'),
  names: [...ownNames, 'tag'],
  counts: mailCounts,
  amount: sql<never>`recipients`,
  parts: [
    { where: sql<never>`tag = ''`, sets: [[], ...ownNames.map((name) => [name]), ownNames] },
    { where: sql<never>`tag <> ''`, sets: [['tag'], [...ownNames, 'tag']] },
  ],
}

export const webhookFamily: Family = {
  added: sql<never>`webhook_statistics_added`,
  tables: tablesOf('webhook_statistics'),
  names: ['endpoint_id'],
  counts: webhookCounts,
  amount: sql<never>`deliveries`,
  parts: [{ where: sql<never>`true`, sets: [[], ['endpoint_id']] }],
}

function tablesOf(prefix: string): Family['tables'] {
  const [minutes, quarters, hours, days] = grains.map((grain) => identifier(`${prefix}_${grain}`))
  if (minutes === undefined || quarters === undefined || hours === undefined || days === undefined) {
    throw new Error('a grain without a table')
  }
  return { minutes, quarters, hours, days }
}

export const latencies = Array.from({ length: LATENCY_CLASSES }, (_, i) => `latency_${i}`)

/** The smallest combination that is kept and has these names. */
export function setWith({ parts }: Family, names: readonly string[]): readonly string[] {
  const fitting = parts.flatMap(({ sets }) => sets).filter((set) => names.every((name) => set.includes(name)))
  const [smallest] = fitting.toSorted((a, b) => a.length - b.length)
  if (smallest === undefined) throw new Error(`nothing is sorted by ${names.join(', ')}`)
  return smallest
}

/** A number for a combination: a bit for each name that is not part of it, the last name in the lowest bit. */
export const maskOf = ({ names }: Family, set: readonly string[]): number =>
  names.reduce((mask, name) => mask * 2 + (set.includes(name) ? 0 : 1), 0)

/** What stands in a column that a row is not sorted by, and for mail that has no such name. */
export const nothing = (name: string): Query<never> =>
  name.endsWith('_id') ? sql<never>`'00000000-0000-0000-0000-000000000000'::uuid` : sql<never>`''`

export const listed = (parts: readonly Query<never>[]): Query<never> =>
  parts.length === 0 ? sql<never>`` : parts.reduce((before, part) => sql<never>`${before}, ${part}`)

/** One column for each name, made of it. */
export const columns = (names: readonly string[], make: (name: Query<never>, text: string) => Query<never>) =>
  listed(names.map((name) => make(identifier(name), name)))
