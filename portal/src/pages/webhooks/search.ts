import { moment, oneOf, text } from '../../kit/address.ts'
import { eventKinds } from './kinds.ts'
import { receiverLanguages } from './receivers.ts'

/** The list of endpoints is short: what is looked for in it does not stand in the address. */
export const webhooksSearch = {}

export const deliveryStates = ['pending', 'delivered', 'failed', 'dropped'] as const

/** The parameters of the page of an endpoint: those of its deliveries, and the language of the receiver. */
export const webhookSearch = {
  status: oneOf(deliveryStates),
  type: oneOf(eventKinds),
  message: text(),
  after: moment(),
  before: moment(),
  language: oneOf(receiverLanguages),
}
