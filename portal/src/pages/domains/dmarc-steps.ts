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

/** Watch first, then the spam folder, then refuse. */
export function nextStepOf({ policy, parts }: Dmarc): DmarcStep {
  const good = (tag: string): Part | undefined => parts.find((part) => part.tag === tag && part.problem === null)
  const isPartial = (good('pct')?.value ?? '100') !== '100' || good('t')?.value.toLowerCase() === 'y'
  if (good('rua') === undefined && policy !== 'reject') return 'reports'
  if (policy === 'quarantine') return isPartial ? 'full' : 'reject'
  if (policy === 'reject') return isPartial ? 'full' : 'done'
  return 'quarantine'
}

/** The record of the next step: the one that is there, with what changes. */
export function nextRecordOf(dmarc: Dmarc, advised: string): string {
  const step = nextStepOf(dmarc)
  const kept = dmarc.parts.filter(({ tag, problem }) => problem === null && tag !== 'v' && tag !== 'p')
  const rest = kept.filter(({ tag }) => step !== 'full' || (tag !== 'pct' && tag !== 't'))
  const policy = step === 'quarantine' || step === 'reject' ? step : (dmarc.policy ?? 'none')
  const reports = /rua=([^;]+)/.exec(advised)?.[1]?.trim()
  return [
    'v=DMARC1',
    `p=${policy}`,
    ...rest.map(({ tag, value }) => `${tag}=${value}`),
    ...(step === 'reports' && reports !== undefined ? [`rua=${reports}`] : []),
  ].join('; ')
}
