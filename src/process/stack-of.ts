/**
 * Where a process stands whose event loop does not turn any more, asked of Node's debugger, which interrupts even an
 * endless loop. SIGUSR1 opens it on a port of loopback that the system chooses. Without the secret in its address nobody
 * gets in, and Node writes that address to the standard error of the process only (`--inspect-publish-uid`), of which the
 * supervisor holds the other end. A process that is asked does not live on.
 */
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { stateOf, workedMs } from './process-state.ts'

/** What the process has to be started with. */
export const debuggerOptions: readonly string[] = ['--inspect-publish-uid=stderr', '--inspect-port=127.0.0.1:0']

/** By the work that an endless loop gets done meanwhile: on a busy machine everything takes long. */
const ANSWERS_WITHIN = { workMs: 1_000, ms: 10_000 }
const LOOK_EVERY_MS = 100

const spokenByDebugger = /^(Debugger (listening on|attached|ending on)|Waiting for the debugger|For help, see: )/

/** What a process writes to standard error itself: warnings of Node, the last words of V8, the debugger's address. */
export class StandardError {
  readonly #debuggerUrl = Promise.withResolvers<string>()
  /** Until we ask for a stack, what the inspector prints is meant for an operator who started a debugger. */
  #isAsked = false

  constructor({ stderr }: ChildProcess, pass: (line: string) => void) {
    if (stderr === null) return
    createInterface({ input: stderr }).on('line', (line) => {
      if (!this.#isAsked || !spokenByDebugger.test(line)) pass(line)
      else if (line.startsWith('Debugger listening on ')) {
        this.#debuggerUrl.resolve(line.slice('Debugger listening on '.length))
      }
    })
  }

  askForDebugger(child: ChildProcess): Promise<string> {
    this.#isAsked = true
    child.kill('SIGUSR1')
    return this.#debuggerUrl.promise
  }
}

/** Undefined when it cannot be had: a process that waits in the system (stopped, in a lock) does not answer. */
export async function stackOf(child: ChildProcess, standardError: StandardError): Promise<string | undefined> {
  if (!['R', undefined].includes(stateOf(child.pid))) return undefined
  return Promise.race([standardError.askForDebugger(child).then(pausedStack), tooLate(child.pid)])
}

async function tooLate(pid: number | undefined): Promise<undefined> {
  const enoughMs = workedMs(pid) + ANSWERS_WITHIN.workMs
  for (const start = performance.now(); performance.now() - start < ANSWERS_WITHIN.ms;) {
    await sleep(LOOK_EVERY_MS, undefined, { ref: false })
    if (workedMs(pid) >= enoughMs) return undefined
  }
}

interface Frame {
  functionName: string
  location: { scriptId: string; lineNumber: number; columnNumber: number }
}

interface Said {
  method?: string
  params: { scriptId: string; url: string; callFrames: Frame[] }
}

/** https://chromedevtools.github.io/devtools-protocol/v8/Debugger/ */
function pausedStack(url: string): Promise<string> {
  const debug = new WebSocket(url)
  const scripts = new Map<string, string>()
  const { promise, resolve } = Promise.withResolvers<string>()
  debug.addEventListener('open', () => {
    for (const [id, method] of ['Debugger.enable', 'Debugger.pause'].entries()) {
      debug.send(JSON.stringify({ id, method }))
    }
  })
  debug.addEventListener('message', ({ data }) => {
    const { method, params } = JSON.parse(String(data)) as Said
    if (method === 'Debugger.scriptParsed') scripts.set(params.scriptId, params.url)
    if (method === 'Debugger.paused') resolve(params.callFrames.map((frame) => written(frame, scripts)).join('\n'))
  })
  // The process is about to be ended, and the connection with it.
  debug.addEventListener('error', () => {})
  return promise
}

/** A frame is written as in the stack of an error, whose lines and columns count from one; the debugger's from nought. */
const written = ({ functionName, location }: Frame, scripts: ReadonlyMap<string, string>): string => {
  const { scriptId, lineNumber, columnNumber } = location
  return `    at ${functionName || '<anonymous>'} (${scripts.get(scriptId)}:${lineNumber + 1}:${columnNumber + 1})`
}
