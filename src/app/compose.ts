import type { Clock } from '../core/clock.ts'
import { KeyIdentifier, Keys } from '../resources/keys/index.ts'
import { Projects } from '../resources/projects/index.ts'
import type { Database } from '../storage/postgres.ts'
import type { Vault } from './vault.ts'

/** Every service, built once, in the order in which they lean on each other. */
export function compose(db: Database, vault: Vault, clock: Clock) {
  const projects = new Projects(db)
  const keys = new Keys(db, projects, clock)
  const keyIdentifier = new KeyIdentifier(db, clock)
  return { vault, projects, keys, keyIdentifier }
}

export type House = ReturnType<typeof compose>
