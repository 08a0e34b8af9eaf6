/** What follows when somebody does not want messages any more, or wants them again. */
import type { ProjectContext } from '../../../core/caller.ts'
import { encodeId, type SmsId } from '../../../core/ids.ts'
import type { Publish } from '../../../events/publish.ts'
import { readPhone } from '../../../sms/phone.ts'
import type { Tx } from '../../../storage/postgres.ts'

import type { Decide, Settler } from './settle.ts'

import { correspondence } from './store/inbound.ts'
import { lockIdle, lockMessages, unsentTo } from './store/parts.ts'
import {
  type Consents,
  type SmsSuppressions,
  consentStore,
  optedIn,
  suppressionStore as store,
} from '../consents/index.ts'
import type { Phone, PhoneBook } from '../projects/index.ts'
import { lockOfMessages } from '../wallet/index.ts'

type Owner = Pick<ProjectContext, 'id' | 'workspaceId'>

/** Whose wish it is. */
export interface Person {
  phone: Phone
  phoneHmac: Buffer
}

export interface OptOutsOptions {
  suppressions: SmsSuppressions
  consents: Consents
  settler: Settler
  phones: PhoneBook
  publish: Publish
}

export class OptOuts {
  readonly #options: OptOutsOptions

  constructor(options: OptOutsOptions) {
    this.#options = options
  }

  /** The whole project, whichever of its numbers was answered; nothing that has not left yet leaves. */
  async stop(tx: Tx, owner: Owner, person: Person, origin: 'keyword' | 'inferred' | 'carrier', inbound?: SmsId) {
    const { suppressions, consents } = this.#options
    await suppressions.addIn(tx, owner, { ...person, programId: null, origin, reason: 'opt_out', note: null })
    const evidence = inbound === undefined ? null : { keywordMessageId: encodeId('sms', inbound) }
    for (const { programId, action, grantedType } of await consentStore.standings(tx, owner.id, person.phoneHmac)) {
      if (action === 'revoked') continue
      await consents.recordIn(tx, owner, {
        ...person,
        programId,
        type: grantedType ?? 'express',
        action: 'revoked',
        method: 'keyword',
        capturedAt: null,
        evidence,
        recordedBy: null,
      })
    }
    await this.#stopUnsent(tx, owner, person)
  }

  /** Lifted by the handset itself. What was agreed to before is agreed to again, and nothing more. */
  async start(tx: Tx, owner: Owner, person: Person, inbound: SmsId): Promise<void> {
    const { consents, phones, publish } = this.#options
    const [lifted] = await store.liftAll(tx, owner.id, person.phoneHmac, 'keyword')
    if (lifted === undefined) return
    const evidence = { keywordMessageId: encodeId('sms', inbound) }
    const restored = []
    for (const { programId, action, grantedType } of await consentStore.standings(tx, owner.id, person.phoneHmac)) {
      if (action === 'granted' || grantedType === null) continue
      const { consent } = await consents.recordIn(tx, owner, {
        ...person,
        programId,
        type: grantedType,
        action: 'granted',
        method: 'keyword',
        capturedAt: null,
        evidence,
        recordedBy: null,
      })
      restored.push(consent)
    }
    const [first] = restored
    if (first !== undefined) return publish(tx, [optedIn(owner, first, phones)])
    const mode = person.phone.simulator === undefined ? 'live' : 'test'
    await publish(tx, [
      {
        projectId: owner.id,
        workspaceId: owner.workspaceId,
        kind: 'sms.optedin',
        messageId: lifted.id,
        about: 'smssp',
        recipient: person.phone.e164,
        detail: '',
        sms: { masked: person.phone.masked, fields: { projectId: encodeId('prj', owner.id), mode } },
      },
    ])
  }

  /** The carrier says that the recipient of a message had opted out with it. */
  async byCarrier(tx: Tx, message: SmsId): Promise<void> {
    const found = await correspondence(tx, message)
    if (found === undefined) return
    const reading = await readPhone(this.#options.phones.open('sms number', message, found.phone))
    if (!reading.ok) return
    const owner = { id: found.projectId, workspaceId: found.workspaceId }
    await this.stop(tx, owner, { phone: reading, phoneHmac: found.phoneHmac }, 'carrier')
  }

  async #stopUnsent(tx: Tx, owner: Owner, { phoneHmac }: Person): Promise<void> {
    const unsent = (await unsentTo(tx, owner.id, phoneHmac, null)).map(({ id }) => id)
    if (unsent.length === 0) return
    await lockOfMessages(tx, unsent)
    await lockMessages(tx, unsent)
    // What a worker has in its hands is refused when it wants to begin.
    const idle = new Set((await lockIdle(tx, unsent)).map(({ id }) => id))
    await this.#options.settler.settle(tx, unsent, stopIdle(idle))
  }
}

const stopIdle =
  (idle: ReadonlySet<string>): Decide =>
  (_message, parts) => {
    const unsent = parts.filter(({ state }) => ['held', 'waiting', 'ready', 'claimed', 'in_flight'].includes(state))
    // Of a message that is partly on its way the rest is refused when its turn comes.
    if (unsent.some(({ id }) => !idle.has(id))) return { changes: [] }
    return { changes: unsent.map(({ id }) => ({ id, state: 'stopped', errorCode: 'recipient_suppressed' })) }
  }
