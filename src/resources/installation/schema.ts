import { Type, type Static } from 'typebox'
import { EmailAddress, Hostname, IdOf, named, Nullable, Timestamp } from '../../shapes/shapes.ts'
import { outgoings } from './states.ts'

export type Outgoing = (typeof outgoings)[number]

const Bytes = Type.Integer({ minimum: 0 })

const HostAddress = named(
  'InstallationAddress',
  Type.Object({
    address: Type.String(),
    ptr: Nullable(Type.String({ description: 'The name that the DNS gives for the address.' })),
    matches: Type.Boolean({ description: 'Whether that is the name we greet with, and leads back to the address.' }),
  }),
)

export type HostAddress = Static<typeof HostAddress>

const DatabaseFacts = named(
  'InstallationDatabase',
  Type.Object({
    version: Type.String(),
    connections: Type.Integer({ description: 'Connections of all programs.' }),
    limit: Type.Integer({ description: 'How many there may be.' }),
    sizeBytes: Bytes,
  }),
)

export type DatabaseFacts = Static<typeof DatabaseFacts>

const NodeView = named(
  'InstallationNode',
  Type.Object({
    node: Type.String(),
    version: Type.String(),
    startedAt: Timestamp,
    seenAt: Timestamp,
    freeBytes: Nullable(Bytes),
    totalBytes: Nullable(Bytes),
  }),
)

const RoleView = named(
  'InstallationRole',
  Type.Object({
    node: Type.String(),
    role: Type.String(),
    up: Type.Boolean(),
    restarts: Type.Integer({ minimum: 0, description: 'Since the node was started.' }),
    heartbeatAt: Timestamp,
  }),
)

const DiskView = named(
  'InstallationDisk',
  Type.Object(
    { freeBytes: Nullable(Bytes), totalBytes: Nullable(Bytes) },
    { description: 'Of the node with the smallest part of its disk free.' },
  ),
)

const SmtpView = named(
  'InstallationSmtp',
  Type.Object({
    hostname: Hostname,
    addresses: Type.Array(HostAddress),
    outgoing: Type.Enum(outgoings, {
      description: 'Whether we reach the mail servers of others; `relay` where a smarthost takes all mail.',
    }),
  }),
)

const TlsView = named(
  'InstallationTls',
  Type.Object({
    expiresAt: Nullable(
      Type.String({ format: 'date-time', description: 'When the certificate of the receiving mail server ends.' }),
    ),
  }),
)

const MasterView = named(
  'InstallationMaster',
  Type.Object({
    backedUpHint: Type.Boolean({
      description:
        'Whether a person has said that the master key is kept in a second place, or it is set from outside.',
    }),
    notedAt: Nullable(Timestamp),
  }),
)

const RetentionView = named(
  'InstallationRetention',
  Type.Object(
    { bodies: Type.Integer(), events: Type.Integer(), webhookDeliveries: Type.Integer(), received: Type.Integer() },
    { description: 'In days.' },
  ),
)

const SettingView = named(
  'InstallationSetting',
  Type.Object({
    variable: Type.String(),
    set: Type.Boolean(),
    value: Nullable(
      Type.String({
        description:
          'As the operator wrote it, a URL without user, password and parameters; null where it is not set, and for secrets always.',
      }),
    ),
    default: Nullable(Type.String()),
    form: Type.String(),
    meaning: Type.String(),
  }),
)

export const InstallationView = named(
  'Installation',
  Type.Object({
    version: Type.String({ description: 'Of the node that answers.' }),
    startedAt: Nullable(Timestamp),
    asOf: Nullable(Type.String({ format: 'date-time', description: 'When a worker last looked at the database.' })),
    nodes: Type.Array(NodeView),
    roles: Type.Array(RoleView),
    database: Nullable(DatabaseFacts),
    disk: DiskView,
    smtp: SmtpView,
    tls: TlsView,
    publicUrl: named('InstallationPublicUrl', Type.Object({ url: Type.String(), https: Type.Boolean() })),
    master: MasterView,
    retention: RetentionView,
    configuration: Type.Array(SettingView, { description: 'Every setting, as the node has it that answers.' }),
  }),
)

export type InstallationView = Static<typeof InstallationView>

export const BackupNotedView = named('BackupNoted', Type.Object({ notedAt: Timestamp }))

export type BackupNotedView = Static<typeof BackupNotedView>

export const OperatorMailList = named(
  'OperatorMailList',
  Type.Object({
    data: Type.Array(
      named(
        'OperatorMail',
        Type.Object({
          id: IdOf('rcv'),
          recipient: EmailAddress,
          from: Nullable(Type.String()),
          subject: Nullable(Type.String()),
          receivedAt: Timestamp,
        }),
      ),
    ),
  }),
)

export type OperatorMailList = Static<typeof OperatorMailList>

/** A process of a node, as its supervisor wrote it down. */
export interface NodeRole {
  role: string
  up: boolean
  /** Since when it is up, or is not. */
  since: string
  restarts: number
  /** When it was started again, the last times. */
  restartedAt: readonly string[]
}

export interface NodeRow {
  id: string
  name: string
  version: string
  startedAt: Date
  roles: readonly NodeRole[]
  diskFreeBytes: number | null
  diskTotalBytes: number | null
  certificateEndsAt: Date | null
  seenAt: Date
  isSilent: boolean
}

export interface HostRow {
  hostname: string
  addresses: readonly HostAddress[]
  outgoing: Outgoing
  lookedAt: Date
}
