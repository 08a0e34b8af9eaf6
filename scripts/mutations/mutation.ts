/** A promise, one way to break it, and the tests that have to notice. */
export interface Mutation {
  /** Its number in docs/promises.md. */
  promise: string
  what: string
  file: string
  /** A pattern (see `pattern.ts`) that fits the file exactly once, without the names that do not matter. */
  from: string
  /** What stands there instead; holes of the pattern may be repeated. */
  to: string
  test: string
}
