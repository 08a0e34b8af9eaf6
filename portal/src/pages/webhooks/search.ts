import { moment, oneOf, text } from '../../kit/address.ts'
import { eventKinds } from './kinds.ts'
import { receiverLanguages } from './receivers.ts'

/** The list of endpoints is short: what is looked for in it does not stand in the address. */
export const webhooksSearch = {}

export const deliveryStates = ['pending', 'delivered', 'failed', 'dropped'] as const

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
