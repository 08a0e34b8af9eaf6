import type { Break } from './breaks.ts'

/** Ways to break the promises of `npm run chaos`; the tests are parts of it. */
export const chaosBreaks: readonly Break[] = [
  {
    promise: '1',
    what: 'mail is acknowledged before it is committed',
    file: 'src/resources/emails/accept.ts',
    from: 'await this.#options.db.transaction((tx) => this.#acceptIn(tx, requests))',
    to: 'await new Promise<{ outcomes: Map<AcceptRequest, Outcome>; isNew: boolean }>((answer, fail) => this.#options.db.transaction(async (tx) => { answer(await this.#acceptIn(tx, requests)); await new Promise((wait) => setTimeout(wait, 300)) }).catch(fail))',
    test: 'tests/chaos/kills.test.ts',
  },
  {
    promise: '2',
    what: 'what may have left us is sent again at once',
    file: 'src/dispatch/leases.ts',
    from: '\n       and q.id <> all(${mayHaveLeft}::uuid[])',
    to: '\n       and ${mayHaveLeft}::uuid[] is not null',
    test: 'tests/chaos/kills.test.ts',
  },
]
