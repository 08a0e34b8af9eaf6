import { counted } from '../counting.ts'

const plural = (one: string, other: string) => counted('en', { one, other })

/** Addresses that are not mailed, and why. */
export const suppressions = {
  title: 'Suppressions',
  find: 'Whole address',
  columns: { email: 'Address', reason: 'Reason', since: 'Since', cause: 'Cause', actions: 'Actions' },
  filters: { reason: 'Reason', after: 'Since' },
  reasons: { bounce: 'Bounced', spam: 'Called spam', manual: 'Added by hand' },
  theEmail: 'The email',
  noCause: 'no note',
  empty: {
    title: 'Nobody is suppressed',
    action: 'Add addresses',
    sentence:
      'An address that bounced, or whose owner called your mail spam, is put here by itself and not mailed any more. You can add others.',
  },
  addresses: 'Addresses',
  addressesHint: 'One on each line, up to 1,000.',
  none: 'Write an address.',
  tooMany: (most: string) => `No more than ${most} at once.`,
  add: {
    action: 'Add addresses',
    title: 'Add addresses',
    note: 'Note',
    noteHint: 'Why they should not be mailed. It is shown in the list.',
    add: 'Add',
    working: 'Adding',
    done: plural('# address is on the list.', '# addresses are on the list.'),
  },
  lift: {
    action: 'Lift',
    title: (email: string) => `Lift the suppression of ${email}?`,
    sentence: {
      bounce: 'Mail to this address bounced. It will be mailed again, and may bounce again.',
      spam: 'The owner of this address called your mail spam. Lift it only if they asked for mail again.',
      manual: 'This address was added by hand. It will be mailed again.',
    },
    who: 'Who confirmed it, and how?',
    whoHint: 'For example: the owner wrote to support on Monday. It is kept in the activity log.',
    whoMissing: 'Write who confirmed it, and how.',
    submit: 'Lift the suppression',
    done: (email: string) => `${email} is mailed again.`,
  },
  liftMany: {
    action: 'Lift a list',
    title: 'Lift a list of suppressions',
    sentence: 'All of these addresses are mailed again. Lift only what their owners have confirmed.',
    submit: 'Lift the suppressions',
    working: 'Lifting',
    done: plural('# suppression is lifted.', '# suppressions are lifted.'),
  },
  export: {
    action: 'Export',
    title: 'Export the suppressions',
    working: plural('# address so far', '# addresses so far'),
    stop: 'Stop',
    done: plural('# address is in the file.', '# addresses are in the file.'),
    file: 'suppressions.csv',
  },
}
