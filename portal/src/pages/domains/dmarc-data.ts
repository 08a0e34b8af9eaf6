import type { Reply } from '@posthouse/sdk'
import { ask } from '../../shell/api.ts'

export type DmarcSource = Reply<'GET /domains/:id/dmarc'>['data'][number]
export type DmarcAdvice = Reply<'GET /domains/:id/dmarc/advice'>
export type ReportedDomain = Pick<Reply<'GET /domains/:id'>, 'id' | 'records'>

/** Of the last thirty days, the largest sources first. */
export const dmarcQuery = (project: string, id: string) => ask('GET /domains/:id/dmarc', { project, params: { id } })

export const dmarcAdviceQuery = (project: string, id: string) =>
  ask('GET /domains/:id/dmarc/advice', { project, params: { id } })

/** The part of the advised record that asks for reports. */
export const askForReports = ({ records }: ReportedDomain): string | undefined =>
  /rua=\S+/.exec(records.find(({ purpose }) => purpose === 'dmarc')?.value ?? '')?.[0]
