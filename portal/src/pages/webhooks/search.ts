import type { EventKind } from '@posthouse/sdk'
import { moment, oneOf, text } from '../../kit/address.ts'
import { receiverLanguages } from './languages.ts'

/** The list of endpoints is short: what is looked for in it does not stand in the address. */
export const webhooksSearch = {}

export const deliveryStates = ['pending', 'delivered', 'failed', 'dropped'] as const

/** Every kind of event, in the order of the documentation. */
export const eventKinds = [
  'email.delivered',
  'email.bounced',
  'email.filteredspam',
  'email.suppressed',
  'email.quarantined',
  'email.unsubscribed',
  'email.received',
  'email.deferred',
  'email.failed',
  'email.opened',
  'email.clicked',
  'sms.sent',
  'sms.delivered',
  'sms.undelivered',
  'sms.failed',
  'sms.unconfirmed',
  'sms.received',
  'sms.optedout',
  'sms.optedin',
  'sms.walletlow',
] as const satisfies readonly EventKind[]

/** The parameters of the deliveries of an endpoint. */
export const deliveriesSearch = {
  status: oneOf(deliveryStates),
  type: oneOf(eventKinds),
  message: text(),
  after: moment(),
  before: moment(),
}

/** Those of its page: the language of the receiver, too. */
export const webhookSearch = { ...deliveriesSearch, language: oneOf(receiverLanguages) }
