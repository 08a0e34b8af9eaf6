import type { Log } from '../../core/log.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { Publish } from '../../events/publish.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import type { Secrets } from '../../storage/secrets.ts'

import { SmsHousekeeping } from './housekeeping.ts'

import { SmsOperator } from './operator.ts'
import {
  type ConnectionTraits,
  Connections,
  OptOuts,
  Policy,
  Settler,
  SmsAccepter,
  SmsInbox,
  SmsMessages,
  SmsOutcomes,
  SmsReports,
  SmsSimulations,
  SmsUsage,
} from './messages/index.ts'
import { Consents, SmsSuppressions } from './consents/index.ts'
import { PhoneBook } from './projects/index.ts'
import { SmsRecords } from './registration/index.ts'
import { Wallets } from './wallet/index.ts'

export interface SmsOptions {
  db: Database
  secrets: () => Secrets
  /** Whether this installation hands anything to carriers. */
  liveEnabled: boolean
  connections: Readonly<Record<string, ConnectionTraits>>
  idempotencyHeader: string
  /** Of the simulator's delays. */
  timeScale: number
  retainBodiesDays: number
  random: () => number
  log: Log
  publish: Publish
  /** Told when there is something to send, and something to tell. */
  onQueued: () => void
  onTold: () => void
  dropEvents: (tx: Tx, project: ProjectId) => Promise<void>
}

/** The services of SMS, in the order in which they lean on each other. */
export function assembleSms(options: SmsOptions) {
  const { db, secrets, liveEnabled, timeScale, random, log, publish, onQueued, onTold } = options
  const connections = new Connections(options.connections)
  const phones = new PhoneBook(secrets)
  const wallets = new Wallets(db, publish)
  const records = new SmsRecords(db, phones)
  const consents = new Consents(db, phones, publish)
  const suppressions = new SmsSuppressions({ db, phones, publish, timeScale })
  const policy = new Policy({ liveEnabled, hasConnection: connections.has, timeScale, random })
  const accepter = new SmsAccepter({ db, phones, policy, wallets, consents, connections, onQueued })
  const settler = new Settler(wallets, phones, publish)
  const optOuts = new OptOuts({ suppressions, consents, settler, phones, publish })
  const reports = new SmsReports({ db, settler, connections, phones, timeScale, onTold })
  const outcomes = new SmsOutcomes({ db, connections, settler, reports, optOuts, liveEnabled })
  const heard = (): void => {
    onQueued()
    onTold()
  }
  const inbox = new SmsInbox({ db, phones, publish, optOuts, connections, log, onQueued: heard })
  const simulations = new SmsSimulations({ db, reports, inbox, log })
  const operator = new SmsOperator({ db, phones, wallets, settler, connections, dropEvents: options.dropEvents })
  const { retainBodiesDays } = options
  const housekeeping = new SmsHousekeeping({ db, reports, inbox, operator, retainBodiesDays, log })
  return {
    idempotencyHeader: options.idempotencyHeader,
    messages: new SmsMessages(db, phones),
    usage: new SmsUsage(db),
    phones,
    wallets,
    records,
    consents,
    suppressions,
    accepter,
    reports,
    outcomes,
    inbox,
    simulations,
    operator,
    housekeeping,
  }
}

export type Sms = ReturnType<typeof assembleSms>
