import { globSync, readFileSync } from 'node:fs'

/**
 * Files that start whole nodes, kill processes, race for long or try thousands of cases: `npm run test:slow` runs them,
 * `npm test` all others.
 */
export const slow = [
  'tests/faults/**',
  'tests/processes/**',
  'tests/examples.test.ts',
  'tests/dispatch/{crash,outcomes,restart}.test.ts',
  'tests/http/{slow-bodies,slow-headers,unread}.test.ts',
  'tests/jobs/{crash,restart}.test.ts',
  'tests/delivery/isolation.test.ts',
  'tests/journeys/*-races.test.ts',
  'tests/journeys/{automations,bounces,broadcasts,hostile-mail,hostile-reports,hostile-signatures,injection,template-bombs}.test.ts',
  'tests/journeys/{attachments-large,closed-doors,last-moment,paused-schedule,retries,webhook-egress}.test.ts',
  'tests/contract/{child-keys,fuzz,isolation,shapes,samples}.test.ts',
  'tests/api/{contacts-deadlocks,contact-imports-fair,people-random}.test.ts',
  'tests/door/{hashing,sessions}.test.ts',
  'tests/mail/reading-hostile.test.ts',
  'tests/template/cost.test.ts',
  'tests/storage/{embedded-log,hostile-s3,idle-transactions,place,silence}.test.ts',
]

/** Files with much random input: `npm test` tries a share of their cases, `npm run test:slow` all of them. */
export const random = globSync('tests/**/*.test.ts').filter((file) =>
  readFileSync(file, 'utf8').includes("/support/runs.ts'"),
)
