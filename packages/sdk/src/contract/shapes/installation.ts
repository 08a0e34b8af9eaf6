// Made by `npm run generate`; change the routes and their schemas, not this file.

export interface Installation {
  /** Of the node that answers. */
  version: string
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string | null
  /** When a worker last looked at the database. */
  asOf: string | null
  nodes: InstallationNode[]
  roles: InstallationRole[]
  database: InstallationDatabase | null
  disk: InstallationDisk
  smtp: InstallationSmtp
  tls: InstallationTls
  publicUrl: InstallationPublicUrl
  master: InstallationMaster
  retention: InstallationRetention
  /** Every setting, as the node has it that answers. */
  configuration: InstallationSetting[]
}

export interface InstallationAddress {
  address: string
  /** The name that the DNS gives for the address. */
  ptr: string | null
  /** Whether that is the name we greet with, and leads back to the address. */
  matches: boolean
}

export interface InstallationDatabase {
  version: string
  /** Connections of all programs. */
  connections: number
  /** How many there may be. */
  limit: number
  sizeBytes: number
}

/** Of the node with the smallest part of its disk free. */
export interface InstallationDisk {
  freeBytes: number | null
  totalBytes: number | null
}

export interface InstallationMaster {
  /** Whether a person has said that the master key is kept in a second place, or it is set from outside. */
  backedUpHint: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  notedAt: string | null
}

export interface InstallationNode {
  node: string
  version: string
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  seenAt: string
  freeBytes: number | null
  totalBytes: number | null
}

export interface InstallationPublicUrl {
  url: string
  https: boolean
}

/** In days. */
export interface InstallationRetention {
  bodies: number
  events: number
  webhookDeliveries: number
  received: number
}

export interface InstallationRole {
  node: string
  role: string
  up: boolean
  /** Since the node was started. */
  restarts: number
  /** ISO 8601 in UTC, with milliseconds. */
  heartbeatAt: string
}

export interface InstallationSetting {
  variable: string
  set: boolean
  /**
   * As the operator wrote it, a URL without user, password and parameters; null where it is not set, and for secrets
   * always.
   */
  value: string | null
  default: string | null
  form: string
  meaning: string
}

export interface InstallationSmtp {
  hostname: string
  addresses: InstallationAddress[]
  /** Whether we reach the mail servers of others; `relay` where a smarthost takes all mail. */
  outgoing: 'blocked' | 'unknown' | 'open' | 'relay'
}

export interface InstallationTls {
  /** When the certificate of the receiving mail server ends. */
  expiresAt: string | null
}

export interface BackupNoted {
  /** ISO 8601 in UTC, with milliseconds. */
  notedAt: string
}

export interface OperatorMail {
  id: string
  recipient: string
  from: string | null
  subject: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  receivedAt: string
}

export interface OperatorMailList {
  data: OperatorMail[]
}
