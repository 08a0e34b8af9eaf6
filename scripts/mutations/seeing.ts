import type { Mutation } from './mutation.ts'

/** Ways to break what people see of the engine, and what they tell it to do. */
export const seeingMutations: readonly Mutation[] = [
  {
    promise: '59',
    what: 'a count that grows begins anew',
    file: 'src/resources/statistics/store/numbers.ts',
    from: 'known.${name} + excluded.${name}',
    to: 'excluded.${name}',
    test: 'tests/api/statistics-random.test.ts',
  },
  {
    promise: '59',
    what: 'a recipient who is deferred again counts again',
    file: 'src/resources/statistics/counting.ts',
    from: '|| event.isRepeated === true',
    to: '',
    test: 'tests/api/statistics-random.test.ts',
  },
  {
    promise: '60',
    what: 'mail is given permission without a look at pauses',
    file: 'src/resources/emails/store/deliver.ts',
    from: 'and ${paused} is null',
    to: '',
    test: 'tests/journeys/pause-races.test.ts',
  },
  {
    promise: '60',
    what: 'what a pause has held is never released',
    file: 'src/resources/emails/store/deliver.ts',
    from: 'where ${paused} is null',
    to: 'where ${paused} is null and false',
    test: 'tests/faults/pauses.test.ts',
  },
]
