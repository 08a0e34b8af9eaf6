import { moment, oneOf, text } from '../../kit/address.ts'

/** The parameters of the list of received mail. */
export const inboxSearch = { to: text(), from: text(), domain: text(), after: moment() }

export const receivedParts = ['preview', 'text', 'html', 'headers', 'source', 'attachments'] as const

/** The parameters of the page of one received mail. */
export const receivedSearch = { tab: oneOf(receivedParts), width: oneOf(['phone']), scheme: oneOf(['dark']) }

export const receivingDomainsSearch = {}
