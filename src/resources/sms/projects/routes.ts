import type { Gate, OwnIdempotencyHeader } from '../../../http/route.ts'

/** Everything about SMS exists for invited projects only, and is for nobody's cache. */
const gate: Gate = {
  isOpen: ({ smsInvited }) => smsInvited === true,
  code: 'sms_not_invited',
  sentence: 'The project does not take part in the SMS beta.',
}

export const smsRoute = { context: 'project', gate } as const

/** Its own, and not the common one: proxies and SDKs add that by themselves, with another key for every attempt. */
export const idempotencyHeader = (name: string): OwnIdempotencyHeader => ({
  header: name.toLowerCase(),
  missing: 'sms_idempotency_key_required',
  malformed: 'sms_idempotency_key_invalid',
})
