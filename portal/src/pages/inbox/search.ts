import { moment, oneOf, text } from '../../kit/address.ts'

export const receivedParts = ['preview', 'text', 'html', 'headers', 'source', 'attachments'] as const

/** The parameters of the page of one received mail. */
export const receivedSearch = { tab: oneOf(receivedParts), width: oneOf(['phone']), scheme: oneOf(['dark']) }

export const verdicts = ['pass', 'fail', 'softfail', 'neutral', 'none', 'policy', 'temperror', 'permerror'] as const

/** The parameters of the list of received mail; `mail` is the one beside it, with those of its content. */
export const inboxSearch = {
  to: text(),
  from: text(),
  domain: text(),
  after: moment(),
  spf: oneOf(verdicts),
  dkim: oneOf(verdicts),
  dmarc: oneOf(verdicts),
  mail: text(),
  ...receivedSearch,
}

export const receivingDomainsSearch = {}
