import { words } from '../../words/words.ts'
import type { Domain } from './records.ts'

type Dmarc = NonNullable<Domain['dmarc']>
type Part = Dmarc['parts'][number]

export type DmarcStep = keyof typeof words.domains.dmarc.next

const said = words.domains.dmarc

/** What a part of the record means, or why receivers ignore it. */
export function meaningOf({ tag, value, problem }: Part): string {
  if (problem !== null) return said.problems[problem]
  const known: unknown = Object.hasOwn(said.parts, tag) ? said.parts[tag as keyof typeof said.parts] : undefined
  if (tag === 'pct') return said.parts.pct(value)
  if (typeof known === 'string') return known
  const byValue = known as Readonly<Record<string, string>> | undefined
  return byValue?.[value.toLowerCase()] ?? said.problems.unknown
}

/** The record of the next step: the one that is there, with what changes. */
export function nextRecordOf(dmarc: Dmarc, advised: string, step: DmarcStep): string {
  const kept = dmarc.parts.filter(({ tag, problem }) => problem === null && tag !== 'v' && tag !== 'p')
  const rest = kept.filter(({ tag }) => step !== 'full' || (tag !== 'pct' && tag !== 't'))
  const policy = step === 'quarantine' || step === 'reject' ? step : (dmarc.policy ?? 'none')
  const reports = /rua=([^;]+)/.exec(advised)?.[1]?.trim()
  const asks = step === 'done' || rest.some(({ tag }) => tag === 'rua')
  return [
    'v=DMARC1',
    `p=${policy}`,
    ...rest.map(({ tag, value }) => `${tag}=${value}`),
    ...(!asks && reports !== undefined ? [`rua=${reports}`] : []),
  ].join('; ')
}
