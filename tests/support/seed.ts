import { randomInt } from 'node:crypto'

/** A new seed for every run, printed so that a red one can be repeated: TEST_SEED=… npm test. */
export function seedFor(what: string): number {
  const seed = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31))
  console.log(`${what}: TEST_SEED=${seed}`)
  return seed
}
