/** The page about one address. */
export const addresses = {
  nothing: {
    title: 'Nothing known',
    sentence: 'This project has neither mailed this address, nor got mail from it, nor put it on a list.',
  },
  suppressed: {
    title: 'Suppressed',
    reasons: {
      bounce: 'The address does not work: mail to it came back for good.',
      spam: 'The recipient, or their server, called mail from here spam.',
      manual: 'The address was put on the list by hand.',
    },
    since: 'Since',
    cause: 'The email that caused it',
  },
  notSuppressed: 'Not suppressed',
  emails: {
    title: 'Emails to this address',
    all: 'All of them',
    none: 'No email was sent to this address.',
    subject: 'Subject',
    status: 'Status',
    meaning: 'What it means',
    time: 'Time',
    counts: (count: number, state: string) => `${count} ${state.toLowerCase()}`,
  },
  received: {
    title: 'Mail from this address',
    none: 'Nothing was received from this address.',
    subject: 'Subject',
    to: 'To',
    time: 'Received',
  },
  runs: {
    title: 'Automations',
    none: 'This address is in no automation.',
    automation: 'Automation',
    status: 'Status',
    started: 'Started',
  },
  audiences: {
    title: 'Audiences',
    none: 'In no audience.',
    name: 'Audience',
    state: 'State',
    subscribed: 'Subscribed',
    unsubscribed: 'Unsubscribed',
    consent: 'Consent',
    noConsent: 'Not recorded',
  },
  tags: { title: 'Tags', none: 'No tag.' },
}
