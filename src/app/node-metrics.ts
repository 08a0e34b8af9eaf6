/** What a node shows at `/metrics` beside its requests: its roles, the queues, the database, the disk. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Counts } from '../core/tallies.ts'
import { laneDepths, type LaneDepth } from '../dispatch/depth.ts'
import { isSendingOn } from '../dispatch/sending.ts'
import { Metrics } from '../http/metrics.ts'
import { countJobs } from '../jobs/store.ts'
import { providers } from '../mail/replies/providers.ts'
import type { RoleStates } from '../process/role-messages.ts'
import type { QueueReports } from '../resources/queue/index.ts'
import type { Database } from '../storage/postgres.ts'
import { countedText } from './counted.ts'
import { freeBytesAt, WATCHED_DIRECTORY } from './disk-room.ts'

/** Nobody waits longer for a number that the database has to tell. */
const MAX_WAITED_MS = 500
/** A long queue is counted no more often, however many ask. */
const COUNT_EVERY_MS = 10_000

/** The lanes of `delivery/mail`, in their order. */
const laneNames = ['transactional', 'broadcast', 'retry']

export interface NodeMetrics {
  metrics: Metrics
  showRoles(states: RoleStates): void
  showCounts(role: string, counts: Counts): void
}

export function nodeMetrics(db: Database, reports: Pick<QueueReports, 'pacing'>): NodeMetrics {
  const metrics = new Metrics()
  let roleStates: RoleStates = {}
  const counts = new Map<string, Counts>()
  addRoles(metrics, () => roleStates)
  addDatabase(metrics, db)
  addQueues(metrics, db)
  addPacing(metrics, reports)
  addDisk(metrics, process.env[WATCHED_DIRECTORY])
  metrics.addText(() => countedText([...counts.values()]))
  return {
    metrics,
    showRoles: (states) => void (roleStates = states),
    showCounts: (role, counted) => void counts.set(role, counted),
  }
}

function addRoles(metrics: Metrics, states: () => RoleStates): void {
  metrics.gauge('posthouse_role_up', 'Whether the process of a role on this node is up.', ['role'], (gauge) => {
    for (const [role, { up }] of Object.entries(states())) gauge.set({ role }, up ? 1 : 0)
  })
  metrics.gauge('posthouse_role_restarts', 'How often the process of a role was started again.', ['role'], (gauge) => {
    for (const [role, { restarts }] of Object.entries(states())) gauge.set({ role }, restarts)
  })
}

function addDatabase(metrics: Metrics, db: Database): void {
  metrics.gauge('posthouse_database_connections', 'Connections to the database, by state.', ['state'], (gauge) => {
    gauge.set({ state: 'idle' }, db.pool.idleCount)
    gauge.set({ state: 'busy' }, db.pool.totalCount - db.pool.idleCount)
    gauge.set({ state: 'awaited' }, db.pool.waitingCount)
  })
  metrics.gauge('posthouse_sending_held', '1 while sending is held, 0 while it is on.', [], async (gauge) => {
    const isOn = await inTime(isSendingOn(db.reads))
    if (isOn === undefined) gauge.remove()
    else gauge.set(isOn ? 0 : 1)
  })
  metrics.gauge('posthouse_jobs', 'Jobs in the database, by state.', ['state'], async (gauge) => {
    const counted = await inTime(countJobs(db.reads))
    if (counted === undefined) gauge.reset()
    else for (const { state, jobs } of counted) gauge.set({ state }, jobs)
  })
}

function addQueues(metrics: Metrics, db: Database): void {
  const mail = keptFor(COUNT_EVERY_MS, () => laneDepths(db.reads, 'deliveries'))
  const webhooks = keptFor(COUNT_EVERY_MS, () => laneDepths(db.reads, 'webhook_deliveries'))
  const byLane = (name: string, help: string, valueOf: (depth: LaneDepth) => number): void =>
    metrics.gauge(name, help, ['lane'], async (gauge) => {
      const depths = await inTime(mail())
      gauge.reset()
      if (depths === undefined) return
      laneNames.forEach((name_, lane) => {
        const depth = depths.find((one) => one.lane === lane)
        gauge.set({ lane: name_ }, depth === undefined ? 0 : valueOf(depth))
      })
    })
  byLane(
    'posthouse_queue_depth',
    'Recipients that are to be mailed now or wait for another attempt, by lane.',
    ({ rows }) => rows,
  )
  byLane(
    'posthouse_queue_oldest_seconds',
    'For how long the first mail that could leave now has been due, by lane.',
    ({ oldestSeconds }) => oldestSeconds,
  )
  metrics.gauge(
    'posthouse_webhook_lag_seconds',
    'For how long the first webhook delivery that could leave now has been due.',
    [],
    async (gauge) => {
      const depths = await inTime(webhooks())
      if (depths === undefined) gauge.remove()
      else gauge.set(Math.max(0, ...depths.map(({ oldestSeconds }) => oldestSeconds)))
    },
  )
}

/** What flows as usual is left out. Only large providers have a name here: there may be any number of other sites. */
function addPacing(metrics: Metrics, reports: Pick<QueueReports, 'pacing'>): void {
  const help = 'Large providers that get less than usual: 0 while suspended, 0.25 on trial, 0.5 with lower limits.'
  metrics.gauge('posthouse_pacing_level', help, ['site'], async (gauge) => {
    const paced = (await inTime(reports.pacing())) ?? []
    gauge.reset()
    for (const { site, level } of paced) if (providers.includes(site)) gauge.set({ site }, level)
  })
  const others = 'How many other sites get less than usual, by the same levels.'
  metrics.gauge('posthouse_paced_sites', others, ['level'], async (gauge) => {
    const paced = ((await inTime(reports.pacing())) ?? []).filter(({ site }) => !providers.includes(site))
    gauge.reset()
    for (const level of [0, 0.25, 0.5]) gauge.set({ level }, paced.filter((one) => one.level === level).length)
  })
}

/** Only where the database is ours: the disk of another machine cannot be read from here. */
function addDisk(metrics: Metrics, directory: string | undefined): void {
  if (!directory) return
  const freeBytes = freeBytesAt(directory)
  metrics.gauge('posthouse_disk_free_bytes', 'Free bytes where the database stores.', [], async (gauge) => {
    const free = await inTime(freeBytes())
    if (free === undefined) gauge.remove()
    else gauge.set(free)
  })
}

/** Asks at most once in a while; who asks in between gets the same answer. */
function keptFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let kept: { answer: Promise<T>; at: number } | undefined
  return () => {
    const now = performance.now()
    if (kept === undefined || now - kept.at >= ms) {
      const answer = ask()
      kept = { answer, at: now }
      answer.catch(() => {
        kept = undefined
      })
    }
    return kept.answer
  }
}

/** Undefined when the answer does not come soon: Prometheus still gets every other metric. */
const inTime = <T>(answer: Promise<T>): Promise<T | undefined> =>
  Promise.race([answer.catch(() => undefined), sleep(MAX_WAITED_MS, undefined, { ref: false })])
