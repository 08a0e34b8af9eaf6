/**
 * What it costs to tell a hundred browsers what changes: work and memory of the API process. How many statements that takes
 * is held by `tests/api/live-streams.test.ts`.
 */
import { readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../tests/support/client.ts'
import { startInstallation, type RunningNode } from './node.ts'
import type { Row } from './table.ts'

const PROJECTS = 20
const STREAMS_EACH = 5
const SECONDS = 20
const CHANGES = 20
const TICKS_PER_SECOND = 100

export async function live(): Promise<Row[]> {
  const node = await startInstallation({ RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'error' })
  const pid = apiProcess(node)
  const owners = await projects(node)
  const idle = await measured(pid)
  const streams: Listening[] = []
  for (const { clients, email } of owners) for (const client of clients) streams.push(await listen(client, email))
  const busy = await measured(pid)
  const [watched] = streams
  const delays: number[] = []
  for (let i = 0; i < CHANGES; i++) delays.push(await delayOf(owners[0]?.clients[0], watched))
  for (const { stop } of streams) stop.abort()
  await node.stop()
  const what = `${streams.length} streams of ${PROJECTS} projects`
  const p95 = delays.toSorted((a, b) => a - b)[Math.ceil(CHANGES * 0.95) - 1] ?? Number.NaN
  return [
    row(`${what}: share of a core`, `${((busy.work - idle.work) * 100).toFixed(1)} %`, '≤ 3 %'),
    row(`${what}: memory`, `${(busy.megabytes - idle.megabytes).toFixed(0)} MB`, '≤ 50 MB'),
    row('from a change to its event, p95', `${p95.toFixed(0)} ms`, '≤ 1,500 ms'),
  ]
}

const row = (what: string, ours: string, target: string): Row => ({ what, ours, yardstick: '–', result: '–', target })

interface Owner {
  clients: Client[]
  email: string
}

/** Each with an email, and with more than one key: a key has four streams at most. */
async function projects({ port, key }: RunningNode): Promise<Owner[]> {
  const api = new Client(`http://127.0.0.1:${port}`, key)
  const owners: Owner[] = []
  for (let i = 0; i < PROJECTS; i++) {
    const { id: projectId } = (await api.post<{ id: string }>('projects', { name: `Project ${i}` })).body
    const clients: Client[] = []
    for (let n = 0; n < STREAMS_EACH; n++) {
      const made = await api.post<{ secret: string }>('api-keys', { name: 'bench', fullAccess: true, projectId })
      clients.push(api.with(made.body.secret))
    }
    owners.push({ clients, email: await send(clients[0]) })
  }
  return owners
}

async function send(client: Client | undefined): Promise<string> {
  const email = {
    from: 'sandbox@sandbox.posthouse.test',
    to: 'delivered@simulator.posthouse.test',
    subject: 'Live',
    text: 'Live.',
  }
  return (await client?.post<{ id: string }>('email/send', email))?.body.id ?? ''
}

interface Listening {
  stop: AbortController
  /** Called with what came. */
  onText: (text: string) => void
}

async function listen({ url, key }: Client, email: string): Promise<Listening> {
  const stop = new AbortController()
  const topics = `overview,queue,notices,emails,inbox,email:${email}`
  const { body, status } = await fetch(`${url}/api/v1/live?topics=${topics}`, {
    headers: { authorization: `Bearer ${key}` },
    signal: stop.signal,
  })
  if (body === null || status !== 200) throw new Error(`a stream was answered with ${status}`)
  const listening: Listening = { stop, onText: () => undefined }
  void read(body, listening).catch(() => undefined)
  return listening
}

async function read(body: ReadableStream<Uint8Array<ArrayBuffer>>, listening: Listening): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    listening.onText(value)
  }
}

async function delayOf(client: Client | undefined, listening: Listening | undefined): Promise<number> {
  const { promise: told, resolve } = Promise.withResolvers<void>()
  const id = await send(client)
  const since = performance.now()
  if (listening !== undefined) listening.onText = (text) => text.includes(`"newestId":"${id}"`) && resolve()
  await told
  return performance.now() - since
}

interface Measured {
  work: number
  megabytes: number
}

/** Work in a second, and memory. */
async function measured(pid: number): Promise<Measured> {
  const before = workOf(pid)
  await sleep(SECONDS * 1_000)
  return { work: (workOf(pid) - before) / SECONDS, megabytes: residentOf(pid) }
}

/** Seconds of work that a process has done. */
function workOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

function apiProcess({ pid }: RunningNode): number {
  const rows = spawnSync('ps', ['-e', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).stdout.trim().split('\n')
  const api = rows
    .map((line) => line.trim().split(/\s+/))
    .find(([, parent, ...args]) => {
      return Number(parent) === pid && args.join(' ').includes('role.js') && args.includes('api')
    })
  if (api === undefined) throw new Error('the node has no API process')
  return Number(api[0])
}
