import type { Reply } from '@posthouse/sdk'
import { ask } from '../../shell/api.ts'

export type Address = Reply<'GET /addresses/:email'>
export type Part = Address['hidden'][number]
export type Mail = Address['emails']['last'][number]
export type Contact = Address['contacts'][number]
export type Received = Address['received'][number]
export type Run = Address['runs'][number]

const WAITING_MS = 10_000

/** Everything about an address, looked at again while mail to it is on its way. */
export const addressQuery = (project: string, email: string) => ({
  ...ask('GET /addresses/:email', { project, params: { email } }),
  refetchInterval: ({ state: { data } }: { state: { data: Address | undefined } }) =>
    data?.emails.last.some(({ status }) => moving.has(status)) ? WAITING_MS : false,
})

const moving: ReadonlySet<string> = new Set(['queued', 'sending', 'deferred'])

/** Whether there is nothing at all that this person may see. */
export const isUnknown = ({ contacts, tags, suppression, emails, received, runs }: Address): boolean =>
  suppression === null && [contacts, tags, emails.last, received, runs].every(({ length }) => length === 0)
