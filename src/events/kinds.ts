/**
 * Every kind of event that a webhook endpoint can be told of, with what it means for the receiver. An endpoint gets
 * the standard kinds unless it chooses; the others only when it asks for them.
 */
export const eventCatalogue = {
  'email.delivered': { standard: true, meaning: "The recipient's mail server took the message." },
  'email.bounced': { standard: true, meaning: 'The address does not work, for good. It is suppressed from now on.' },
  'email.filteredspam': {
    standard: true,
    meaning: 'The recipient or their server called the message spam. The address is suppressed from now on.',
  },
  'email.suppressed': { standard: true, meaning: 'The message was not sent: the address is on the suppression list.' },
  'email.quarantined': { standard: true, meaning: "The recipient's server took the message and put it aside." },
  'email.unsubscribed': {
    standard: true,
    meaning: 'The recipient of a broadcast or an automation does not want further mail.',
  },
  'email.received': { standard: true, meaning: 'A message came in for one of your receiving domains.' },
  'email.deferred': { standard: false, meaning: 'The server said "not now"; the message will be tried again.' },
  'email.failed': {
    standard: false,
    meaning: 'The message could not be delivered, for a reason that is not the address.',
  },
  'email.opened': { standard: false, meaning: 'The message was opened (where open tracking is on).' },
  'email.clicked': { standard: false, meaning: 'A link in the message was followed (where click tracking is on).' },
  'sms.sent': { standard: false, meaning: 'The carrier took every part of the SMS.' },
  'sms.delivered': { standard: false, meaning: 'The carrier reported the SMS delivered.' },
  'sms.undelivered': { standard: false, meaning: 'The carrier took the SMS, or some of it, and could not deliver it.' },
  'sms.failed': { standard: false, meaning: 'The SMS never left us, or no carrier took it; nothing was charged.' },
  'sms.unconfirmed': { standard: false, meaning: 'Nobody can say what became of the SMS; a late report may follow.' },
  'sms.received': { standard: false, meaning: 'An SMS came in for one of your senders.' },
  'sms.optedout': {
    standard: false,
    meaning: 'Somebody asked not to get SMS any more. They are suppressed from now on.',
  },
  'sms.optedin': { standard: false, meaning: 'Somebody who had opted out of SMS came back.' },
  'sms.walletlow': { standard: false, meaning: 'The SMS wallet fell below its threshold.' },
} as const satisfies Record<string, { standard: boolean; meaning: string }>

export type EventKind = keyof typeof eventCatalogue
