import type { HostAddress, HostRow, InstallationView, NodeRow, Outgoing } from './schema.ts'
import { outgoings } from './states.ts'
import type { InstallationRow } from './store/read.ts'

/** What the operator set, as far as it is shown. */
export interface InstallationFacts {
  version: string
  publicUrl: string
  smtpHostname: string
  /** The master key comes from outside; there is no file to copy. */
  hasGivenMasterKey: boolean
  retention: InstallationView['retention']
  configuration: readonly SettingFacts[]
}

interface SettingFacts {
  variable: string
  form: string
  sentence: string
  default: string | null
  isSet: boolean
  /** Null where it is not set, and where it is a secret. */
  value: string | null
}

export function installationView(
  facts: InstallationFacts,
  row: InstallationRow,
  nodes: readonly NodeRow[],
  hosts: readonly HostRow[],
): InstallationView {
  const { database, databaseLookedAt, backupNotedAt } = row
  return {
    version: facts.version,
    startedAt: earliest(nodes.filter(({ isSilent }) => !isSilent).map(({ startedAt }) => startedAt)),
    asOf: databaseLookedAt?.toISOString() ?? null,
    nodes: nodes.map(nodeView),
    roles: nodes.flatMap(rolesOf),
    database,
    disk: tightest(nodes),
    smtp: { hostname: facts.smtpHostname, addresses: addressesOf(hosts), outgoing: worst(hosts) },
    tls: { expiresAt: earliest(nodes.flatMap(({ certificateEndsAt: at }) => (at === null ? [] : [at]))) },
    publicUrl: { url: facts.publicUrl, https: facts.publicUrl.startsWith('https:') },
    master: {
      backedUpHint: facts.hasGivenMasterKey || backupNotedAt !== null,
      notedAt: backupNotedAt?.toISOString() ?? null,
    },
    retention: facts.retention,
    configuration: facts.configuration.map(settingView),
  }
}

const settingView = ({ isSet, sentence, ...facts }: SettingFacts): InstallationView['configuration'][number] => ({
  ...facts,
  set: isSet,
  meaning: sentence,
})

const nodeView = ({ name, version, startedAt, seenAt, diskFreeBytes, diskTotalBytes }: NodeRow) => ({
  node: name,
  version,
  startedAt: startedAt.toISOString(),
  seenAt: seenAt.toISOString(),
  freeBytes: diskFreeBytes,
  totalBytes: diskTotalBytes,
})

/** Of a node that has fallen silent no process is known to be up. */
const rolesOf = ({ name, roles, seenAt, isSilent }: NodeRow) =>
  roles.map(({ role, up, restarts }) => ({
    node: name,
    role,
    up: up && !isSilent,
    restarts,
    heartbeatAt: seenAt.toISOString(),
  }))

const earliest = (dates: readonly Date[]): string | null =>
  dates.length === 0 ? null : new Date(Math.min(...dates.map(Number))).toISOString()

function tightest(nodes: readonly NodeRow[]): InstallationView['disk'] {
  const [first] = nodes
    .flatMap(({ diskFreeBytes: freeBytes, diskTotalBytes: totalBytes }) =>
      freeBytes === null || totalBytes === null ? [] : [{ freeBytes, totalBytes }],
    )
    .toSorted((a, b) => a.freeBytes / a.totalBytes - b.freeBytes / b.totalBytes)
  return first ?? { freeBytes: null, totalBytes: null }
}

/** Each address once, although nodes behind one translator share theirs. */
const addressesOf = (hosts: readonly HostRow[]): HostAddress[] => [
  ...new Map(hosts.flatMap(({ addresses }) => addresses).map((each) => [each.address, each])).values(),
]

const worst = (hosts: readonly HostRow[]): Outgoing =>
  outgoings.find((word) => hosts.some(({ outgoing }) => outgoing === word)) ?? 'unknown'
