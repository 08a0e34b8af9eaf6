/**
 * What only the operator does: opens and closes the gates, decides about records, switches senders on, and moves money
 * into wallets. Nothing of this can be reached through the API.
 */
import { DomainError, notFound } from '../../core/errors.ts'
import { encodeId, newId, type ProjectId, type SmsSenderId, type WorkspaceId } from '../../core/ids.ts'
import { recordAudit, type AuditAction } from '../../events/audit.ts'
import { simulatorSender } from '../../sms/phone.ts'
import { violatedConstraint, type Database, type Tx } from '../../storage/postgres.ts'

import * as invariants from './store.ts'
import { type PhoneBook, smsProjects as projects } from './projects/index.ts'
import { type RecordStatus, type Rejection, records } from './registration/index.ts'
import {
  type Mode,
  type TopUpView,
  type Wallet,
  type WalletView,
  type Wallets,
  walletStore,
  walletView,
} from './wallet/index.ts'
import { type Connections, SIMULATOR, type Settler, sendCategories } from './messages/index.ts'

export interface OperatorOptions {
  db: Database
  phones: PhoneBook
  wallets: Wallets
  settler: Settler
  connections: Connections
  /** What was to be told of SMS is dropped with the invitation. */
  dropEvents: (tx: Tx, project: ProjectId) => Promise<void>
}

/** What every project may try the simulator with. */
const TEST_MONEY = 100_000_000n
/** Until the operator says otherwise: a stolen key costs no more than this a day. */
const DAILY_CAP = 50_000_000n
const AT_ONCE = 200

const tables = { smsbp: 'sms_business_profiles', smspg: 'sms_programs', smssn: 'sms_senders' } as const
export type RecordPrefix = keyof typeof tables

const decisions = {
  approve: { from: ['submitted', 'in_review', 'suspended'], to: 'approved', action: 'sms_record.approved' },
  reject: { from: ['submitted', 'in_review'], to: 'rejected', action: 'sms_record.rejected' },
  suspend: { from: ['approved', 'active'], to: 'suspended', action: 'sms_record.suspended' },
} as const satisfies Record<string, { from: RecordStatus[]; to: RecordStatus; action: AuditAction }>
export type RecordDecision = keyof typeof decisions

export class SmsOperator {
  readonly #options: OperatorOptions

  constructor(options: OperatorOptions) {
    this.#options = options
  }

  invite(workspace: WorkspaceId, project: ProjectId): Promise<void> {
    return this.#options.db.transaction(async (tx) => {
      if ((await projects.setInvited(tx, workspace, project, true)) === undefined) throw notFound('project')
      const isNew = await projects.join(tx, project, this.#options.phones.newKey(project))
      if (isNew) await this.#furnish(tx, project)
      await audit(tx, workspace, project, 'sms.invited')
    })
  }

  /** Nothing is lost: whoever is invited again finds everything as it was. */
  uninvite(workspace: WorkspaceId, project: ProjectId): Promise<void> {
    return this.#options.db.transaction(async (tx) => {
      if ((await projects.setInvited(tx, workspace, project, false)) === undefined) throw notFound('project')
      await this.#options.dropEvents(tx, project)
      await audit(tx, workspace, project, 'sms.uninvited')
    })
  }

  setLive(
    workspace: WorkspaceId,
    project: ProjectId,
    isLive: boolean,
    countries: readonly string[] | null | undefined,
  ): Promise<void> {
    return this.#options.db.transaction(async (tx) => {
      if ((await projects.setLive(tx, workspace, project, isLive)) === undefined) {
        throw new DomainError('sms_not_invited', 'There is no such project, or it is not invited.')
      }
      if (countries !== undefined) await projects.setCountries(tx, project, countries)
      await audit(tx, workspace, project, isLive ? 'sms.live_on' : 'sms.live_off', { countries })
    })
  }

  decide(
    workspace: WorkspaceId,
    decision: RecordDecision,
    prefix: RecordPrefix,
    id: string,
    reasons: readonly Rejection[],
  ): Promise<void> {
    const { from, to, action } = decisions[decision]
    return this.#options.db.transaction(async (tx) => {
      const table = tables[prefix]
      const moved = await records.decide(tx, table, id, { from, to, reasons })
      const owner = moved ?? (await records.ownerOf(tx, table, id))
      if (owner === undefined || !(await isOf(tx, workspace, owner.projectId))) throw notFound('SMS record')
      if (moved === undefined) throw wrongStatus('status' in owner ? String(owner.status) : '', to)
      await audit(tx, workspace, owner.projectId, action, { id: encodeId(prefix, id as never), reasons })
    })
  }

  activateSender(
    workspace: WorkspaceId,
    id: SmsSenderId,
    { connection, perSecond, dailyCap }: { connection: string; perSecond: number; dailyCap: number | null },
  ): Promise<void> {
    if (!this.#options.connections.has(connection) || connection === SIMULATOR) {
      throw new DomainError('not_found', `There is no carrier connection "${connection}".`)
    }
    return this.#sender(workspace, id, async (tx, sender) => {
      if (sender.type === 'simulator') throw wrongStatus('the simulator', 'active')
      if (!['approved', 'active'].includes(sender.status)) throw wrongStatus(sender.status, 'active')
      const limits = { status: 'active', connection, perSecond, dailyCap } as const
      try {
        await records.setSenderLimits(tx, sender.projectId, id, limits)
      } catch (error) {
        if (violatedConstraint(error) === undefined) throw error
        throw new DomainError('already_exists', 'Another project sends with this address.')
      }
      await audit(tx, workspace, sender.projectId, 'sms_sender.activated', { id: encodeId('smssn', id), ...limits })
    })
  }

  deactivateSender(workspace: WorkspaceId, id: SmsSenderId): Promise<void> {
    return this.#sender(workspace, id, async (tx, sender) => {
      if (sender.status !== 'active' || sender.type === 'simulator') throw wrongStatus(sender.status, 'approved')
      const { connection, throughputPerSecond: perSecond, dailyCap } = sender
      await records.setSenderLimits(tx, sender.projectId, id, { status: 'approved', connection, perSecond, dailyCap })
      await audit(tx, workspace, sender.projectId, 'sms_sender.deactivated', { id: encodeId('smssn', id) })
    })
  }

  topUp(of: WalletName, amount: bigint, reference: string): Promise<TopUpView> {
    return this.#wallet(of, 'sms_wallet.topped_up', { amount: String(amount), reference }, (tx, wallet) =>
      this.#options.wallets.credit(tx, wallet, amount, reference, 'operator'),
    )
  }

  reverse(of: WalletName, reference: string): Promise<TopUpView> {
    return this.#wallet(of, 'sms_wallet.reversed', { reference }, (tx, wallet) =>
      this.#options.wallets.reverse(tx, wallet, reference),
    )
  }

  adjust(of: WalletName, amount: bigint, reference: string, reason: string): Promise<WalletView> {
    return this.#wallet(
      of,
      'sms_wallet.adjusted',
      { amount: String(amount), reference, reason },
      async (tx, wallet) => {
        await this.#options.wallets.adjust(tx, wallet, amount, reference, reason)
        return walletView(await walletStore.lock(tx, of.project, of.mode))
      },
    )
  }

  freeze(of: WalletName, isFrozen: boolean): Promise<WalletView> {
    const action = isFrozen ? 'sms_wallet.frozen' : 'sms_wallet.unfrozen'
    return this.#wallet(of, action, {}, async (tx, wallet) => {
      await walletStore.freeze(tx, wallet.id, isFrozen)
      return walletView(await walletStore.lock(tx, of.project, of.mode))
    })
  }

  cap(of: WalletName, dailyCap: bigint | null): Promise<WalletView> {
    return this.#wallet(of, 'sms_wallet.capped', { dailyCap: dailyCap && String(dailyCap) }, async (tx, wallet) => {
      await walletStore.cap(tx, wallet.id, dailyCap)
      return walletView(await walletStore.lock(tx, of.project, of.mode))
    })
  }

  /** How many of them are new. */
  loadRates(workspace: WorkspaceId, rates: readonly projects.NewRate[]): Promise<number> {
    return this.#options.db.transaction(async (tx) => {
      const added = await projects.addRates(tx, rates)
      const details = { rows: rates.length, added }
      await recordAudit(
        tx,
        { type: 'operator' },
        { workspaceId: workspace, projectId: null, action: 'sms_rates.loaded', subject: 'sms rates', details },
      )
      return added
    })
  }

  /** What does not hold of the money; with `fix`, reservations of messages that are over are resolved first. */
  async reconcile(
    workspace: WorkspaceId | undefined,
    fix: boolean,
  ): Promise<{ fixed: number; violations: invariants.Violation[] }> {
    const { db, settler } = this.#options
    let fixed = 0
    for (let more = fix; more;) {
      const found = (await invariants.unresolved(db, AT_ONCE)).map(({ id }) => id)
      await db.transaction((tx) => settler.settle(tx, found, () => ({ changes: [], isDue: true })))
      fixed += found.length
      more = found.length === AT_ONCE
    }
    const violations = await invariants.violations(db)
    if (workspace !== undefined) {
      await db.transaction((tx) =>
        recordAudit(
          tx,
          { type: 'operator' },
          {
            workspaceId: workspace,
            projectId: null,
            action: 'sms.reconciled',
            subject: 'sms ledger',
            details: { fixed, violations: violations.length },
          },
        ),
      )
    }
    return { fixed, violations }
  }

  /** The first invitation: a program and a sender to try everything with, and money that is none. */
  async #furnish(tx: Tx, project: ProjectId): Promise<void> {
    const program = await records.insertProgram(tx, project, {
      id: newId<'smspg'>(),
      businessProfileId: null,
      fields: { name: 'Simulator', allowedCategories: [...sendCategories] },
      isBuiltIn: true,
    })
    await records.insertSender(tx, project, {
      id: newId<'smssn'>(),
      programId: program.id,
      type: 'simulator',
      address: simulatorSender,
      country: 'US',
      twoWay: true,
      builtInConnection: SIMULATOR,
    })
    await walletStore.create(tx, project, newId<'sml'>(), 'test', null)
    await walletStore.create(tx, project, newId<'sml'>(), 'live', DAILY_CAP)
    const wallet = await walletStore.lock(tx, project, 'test')
    await this.#options.wallets.credit(tx, wallet, TEST_MONEY, 'test money', 'simulator')
  }

  #sender(
    workspace: WorkspaceId,
    id: SmsSenderId,
    work: (tx: Tx, sender: NonNullable<Awaited<ReturnType<typeof records.lockSender>>>) => Promise<void>,
  ): Promise<void> {
    return this.#options.db.transaction(async (tx) => {
      const owner = await records.ownerOf(tx, 'sms_senders', id)
      const sender = owner && (await records.lockSender(tx, owner.projectId, id))
      if (sender === undefined || sender.workspaceId !== workspace) throw notFound('SMS sender')
      await work(tx, sender)
    })
  }

  #wallet<T>(
    { workspace, project, mode }: WalletName,
    action: AuditAction,
    details: Readonly<Record<string, unknown>>,
    work: (tx: Tx, wallet: Wallet) => Promise<T>,
  ): Promise<T> {
    return this.#options.db.transaction(async (tx) => {
      const found = await walletStore.find(tx, project, mode)
      if (found === undefined || found.workspaceId !== workspace) throw notFound('SMS wallet')
      const result = await work(tx, await walletStore.lock(tx, project, mode))
      await audit(tx, workspace, project, action, { mode, ...details })
      return result
    })
  }
}

export interface WalletName {
  workspace: WorkspaceId
  project: ProjectId
  mode: Mode
}

const wrongStatus = (from: string, to: string): DomainError =>
  new DomainError('sms_invalid_transition', `It is ${from}; it cannot become ${to}.`, { state: from })

const isOf = async (tx: Tx, workspace: WorkspaceId, project: ProjectId): Promise<boolean> =>
  (await projects.gates(tx, project))?.workspaceId === workspace

const audit = (
  tx: Tx,
  workspaceId: WorkspaceId,
  projectId: ProjectId,
  action: AuditAction,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> =>
  recordAudit(
    tx,
    { type: 'operator' },
    { workspaceId, projectId, action, subject: encodeId('prj', projectId), details },
  )
