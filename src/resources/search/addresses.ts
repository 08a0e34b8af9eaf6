import type { Caller, ProjectContext } from '../../core/caller.ts'
import { invalid } from '../../core/errors.ts'
import { readsIn } from '../../core/reading.ts'
import { addressKey, parseAddress } from '../../mail/address.ts'
import { onlyByIndex } from '../../storage/by-index.ts'
import type { Database } from '../../storage/postgres.ts'
import type { Suppressions } from '../suppressions/index.ts'
import { addressParts, type AddressPart } from './kinds.ts'
import { MAX_COUNTED, MAX_SHOWN } from './limits.ts'
import type { AddressView } from './schema.ts'
import * as store from './store/addresses.ts'
import { contactPart, mailPart, receivedPart, runPart, tagPart } from './views.ts'

/** Everything that a project knows of an address, as far as the caller could read each part by its own route. */
export class Addresses {
  readonly #db: Database
  readonly #suppressions: Suppressions

  constructor(db: Database, suppressions: Suppressions) {
    this.#db = db
    this.#suppressions = suppressions
  }

  async read(caller: Caller, project: ProjectContext, text: string): Promise<AddressView> {
    const parsed = parseAddress(text)
    if (!parsed.ok) throw invalid([{ path: '/params/email', message: parsed.problem }])
    const email = addressKey(parsed.value)
    const parts = Object.keys(addressParts) as AddressPart[]
    const hidden = parts.filter((part) => !readsIn(caller, addressParts[part], project.id))
    const shows = (part: AddressPart): boolean => !hidden.includes(part)
    const suppression = shows('suppression')
      ? (await this.#suppressions.list(project, { email }, { limit: 1, after: null })).data[0]
      : undefined
    const known = await this.#db.transaction(async (tx) => {
      // Whatever was last counted, these statements must find their rows by their indexes.
      await tx.run(onlyByIndex)
      return {
        contacts: shows('contacts') ? await store.contacts(tx, project.id, email) : [],
        tags: shows('tags') ? await store.tags(tx, project.id, email) : [],
        emails: shows('emails') ? await store.emails(tx, project.id, email, MAX_SHOWN) : [],
        counts: shows('emails') ? await store.countsOf(tx, project.id, email, MAX_COUNTED) : [],
        received: shows('received') ? await store.received(tx, project.id, email, MAX_SHOWN) : [],
        runs: shows('runs') ? await store.runs(tx, project.id, email, MAX_SHOWN) : [],
      }
    })
    return {
      email,
      contacts: known.contacts.map(contactPart),
      tags: known.tags.map(tagPart),
      suppression: suppression ?? null,
      emails: {
        last: known.emails.map((mail) => mailPart(caller, mail)),
        counts: Object.fromEntries(known.counts.map(({ status, count }) => [status, count])),
      },
      received: known.received.map(receivedPart),
      runs: known.runs.map(runPart),
      hidden,
    }
  }
}
