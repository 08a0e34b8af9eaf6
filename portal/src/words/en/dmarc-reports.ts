import { counted } from '../counting.ts'

const plural = (one: string, other: string) => counted('en', { one, other })

const messages = plural('# message', '# messages')

/** What receivers report about mail in the name of a domain. */
export const dmarcReports = {
  title: 'Who sends in your name',
  note: plural('from # report of the last 30 days', 'from # reports of the last 30 days'),
  columns: {
    source: 'Source',
    kind: 'Whose it is',
    messages: 'Messages',
    dkim: 'DKIM aligned',
    spf: 'SPF aligned',
    done: 'Held back',
  },
  kinds: { ours: 'Ours', known: 'Known sender', stranger: 'Stranger', unknown: 'Not known' },
  unproven: 'Not proven',
  someUnproven: plural(
    '# report came by mail that does not prove who sent it: anybody may have written it. It is shown as “Not proven”, and no advice is given by it.',
    '# reports came by mail that does not prove who sent it: anybody may have written them. They are shown as “Not proven”, and no advice is given by them.',
  ),
  other: 'All other addresses',
  nothingDone: 'None',
  held: (quarantined: number, rejected: number) =>
    [
      ...(quarantined > 0 ? [plural('# as spam', '# as spam')(quarantined)] : []),
      ...(rejected > 0 ? [plural('# refused', '# refused')(rejected)] : []),
    ].join(', '),
  showAll: plural('Show # more source', 'Show # more sources'),
  empty: {
    title: 'No report yet',
    sentence:
      'Once a day receivers report who sent mail in the name of your domain, if its DMARC record asks them to. Put this into the record; the first reports come a day or two later.',
  },
  ask: 'The part of the record that asks for reports',
  copyAsk: 'Copy it',
  advice: {
    title: 'A stricter policy',
    last: (lost: number, all: number) =>
      `Your policy is the strictest one. In the last 30 days it was for ${messages(lost)} of ${all.toLocaleString('en')}.`,
    nothingLost: (all: number) => `Of the ${messages(all)} of the last 30 days, it would have cost none.`,
    lost: (lost: number, all: number, share: string) =>
      `Of the ${messages(all)} of the last 30 days, it would have met ${lost.toLocaleString('en')} (${share}).`,
    strangers: 'They all came from strangers: whom such a policy is for, unless one of them sends for you.',
    careful: 'Some came from us or from a sender whom you may use: make these sources sign with your domain first.',
    unknown: 'Of some it is not known yet whose they are: look at them before you are strict.',
  },
}
