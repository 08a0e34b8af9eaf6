import { createHmac, randomBytes } from 'node:crypto'
import { DomainError, invalid } from '../../../core/errors.ts'
import type { ProjectId } from '../../../core/ids.ts'
import { readPhone, type PhoneReading } from '../../../sms/phone.ts'
import type { Db } from '../../../storage/postgres.ts'
import type { Secrets } from '../../../storage/secrets.ts'
import * as store from './store.ts'

export type Phone = PhoneReading & { ok: true }

/** What is sealed, each kind with a key of its own. */
type Sealed = 'sms number' | 'sms text' | 'sms metadata' | 'sms consent evidence' | 'sms registration number'

const KEY_BYTES = 32
/** Numbers that differ only behind this many digits are neighbours. */
const RANGE_DIGITS = 2

/** Keeps numbers and texts from the eyes of whoever reads the database, and still finds them again. */
export class PhoneBook {
  readonly #secrets: () => Secrets
  readonly #keys = new Map<ProjectId, Buffer>()

  constructor(secrets: () => Secrets) {
    this.#secrets = secrets
  }

  /** For a project that is invited. */
  newKey(project: ProjectId): Buffer {
    return this.#secrets().seal(placeOfKey(project), randomBytes(KEY_BYTES))
  }

  /** What a number is looked up by. */
  async hmac(db: Db, project: ProjectId, e164: string): Promise<Buffer> {
    return createHmac('sha256', await this.#keyOf(db, project))
      .update(e164)
      .digest()
  }

  /** The same for all numbers of a range of a hundred. */
  rangeHmac(db: Db, project: ProjectId, e164: string): Promise<Buffer> {
    return this.hmac(db, project, `range ${e164.slice(0, -RANGE_DIGITS)}`)
  }

  seal(purpose: Sealed, id: string, text: string): Buffer {
    return this.#secrets().seal({ purpose, id }, text)
  }

  open(purpose: Sealed, id: string, sealed: Buffer): string {
    return this.#secrets().open({ purpose, id }, sealed).toString('utf8')
  }

  async #keyOf(db: Db, project: ProjectId): Promise<Buffer> {
    const known = this.#keys.get(project)
    if (known !== undefined) return known
    const row = await store.phoneKey(db, project)
    if (row === undefined) throw new DomainError('sms_not_invited', 'The project does not take part in the SMS beta.')
    const key = this.#secrets().open(placeOfKey(project), row.sealed)
    this.#keys.set(project, key)
    return key
  }
}

const placeOfKey = (project: ProjectId) => ({ purpose: 'sms phone key', id: project })

/** A number that somebody wrote, or the refusal; which does not repeat it, because refusals end up in logs. */
export async function phoneFrom(text: string): Promise<Phone> {
  const reading = await readPhone(text)
  if (reading.ok) return reading
  const { suggestion } = reading
  throw new DomainError(
    'sms_invalid_recipient',
    'The number is not in E.164 form: a plus, the country and the number, digits only.',
    suggestion === undefined ? {} : { suggestion },
  )
}

/** For a filter, by its name: what cannot be a number finds nothing. */
export async function phoneInFilter(name: string, text: string | undefined): Promise<string | undefined> {
  if (text === undefined) return undefined
  if (text.startsWith(' ')) {
    const message = 'must be a phone number with + and the country code, like +12025550100'
    throw invalid([{ path: `/query/${name}`, message }])
  }
  const reading = await readPhone(text)
  return reading.ok ? reading.e164 : ''
}
