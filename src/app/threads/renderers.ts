/**
 * The threads that fill in templates and read html when that would hold up the main thread. A template that takes too
 * long, or too much memory, ends its thread; requests and deliveries of other projects go on.
 *
 * Projects take turns, and none has two threads at once: whatever one of them does, there is a thread for the others.
 * A template that had to be ended rests for a minute in its project. A project whose questions would wait for longer
 * than the caller can is told so at once.
 */
import { createHash } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { Log } from '../../core/log.ts'
import type { RenderAnswers, Renderer, RenderOutcome, RenderQuestion } from '../../resources/templates/index.ts'
import { Thread, type Outcome } from './thread.ts'

export interface RenderersOptions {
  log: Log
  clock: Clock
  /** How long a thread may work on one template; less in tests. */
  workMs?: number
}

const THREADS = 2
const LIMITS = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 32 }
/** By the work that it takes, as for mail that is read: a busy machine is no template's fault. */
const WORK_MS = 900
const WITHIN_MS = 30_000
const REST_MS = 60_000
const MAX_RESTING = 1_000
const IDLE_MS = 15_000
/** What a template is taken to need before anything is known of its project's. */
const USUAL_MS = 20
/** When the reason lies with us. */
const SOON_MS = 1_000

type AnyOutcome = RenderOutcome<RenderAnswers[RenderQuestion['type']]>

interface Queue {
  waiting: { question: RenderQuestion; settle: (outcome: AnyOutcome) => void }[]
  isBusy: boolean
  /** What one takes, on average. */
  paceMs: number
}

export class Renderers implements Renderer {
  readonly #options: RenderersOptions
  /** The project whose turn comes next is the first. */
  readonly #queues = new Map<ProjectId, Queue>()
  readonly #idle: Thread<RenderQuestion, RenderAnswers>[] = []
  readonly #working = new Set<Thread<RenderQuestion, RenderAnswers>>()
  /** Templates that had to be ended, and until when they rest. */
  readonly #resting = new Map<string, number>()
  #rest: NodeJS.Timeout | undefined

  constructor(options: RenderersOptions) {
    this.#options = options
  }

  async ask<Q extends RenderQuestion>(
    project: ProjectId,
    question: Q,
    patienceMs: number,
  ): Promise<RenderOutcome<RenderAnswers[Q['type']]>> {
    const restMs = this.#restOf(project, question)
    if (restMs > 0) return { kind: 'resting', afterMs: restMs }
    const queue = this.#queues.get(project) ?? { waiting: [], isBusy: false, paceMs: USUAL_MS }
    const waitMs = queue.waiting.length * queue.paceMs
    if (waitMs > patienceMs) return { kind: 'busy', afterMs: waitMs }
    this.#queues.set(project, queue)
    const { promise, resolve } = Promise.withResolvers<AnyOutcome>()
    queue.waiting.push({ question, settle: resolve })
    this.#takeTurns()
    // What was asked for is what the thread answers.
    return (await promise) as RenderOutcome<RenderAnswers[Q['type']]>
  }

  async stop(): Promise<void> {
    clearTimeout(this.#rest)
    for (const { waiting } of this.#queues.values()) {
      for (const { settle } of waiting.splice(0)) settle({ kind: 'busy', afterMs: SOON_MS })
    }
    this.#queues.clear()
    await Promise.all([...this.#idle.splice(0), ...this.#working].map((thread) => thread.stop()))
  }

  #takeTurns(): void {
    for (const [project, queue] of this.#queues) {
      if (this.#working.size >= THREADS) return
      const next = queue.isBusy ? undefined : queue.waiting.shift()
      if (next === undefined) continue
      this.#queues.delete(project)
      this.#queues.set(project, queue)
      void this.#work(project, queue, next)
    }
  }

  async #work(project: ProjectId, queue: Queue, { question, settle }: Queue['waiting'][number]): Promise<void> {
    clearTimeout(this.#rest)
    const thread = this.#idleThread() ?? new Thread(new URL('render-thread.ts', import.meta.url), undefined, LIMITS)
    this.#working.add(thread)
    queue.isBusy = true
    const startedAt = performance.now()
    const { workMs = WORK_MS } = this.#options
    const outcome = await thread.ask(question, { workMs, withinMs: WITHIN_MS })
    queue.paceMs = (queue.paceMs * 3 + performance.now() - startedAt) / 4
    queue.isBusy = false
    this.#working.delete(thread)
    settle(this.#judged(project, question, outcome))
    if (outcome.kind === 'answered' || outcome.kind === 'failed') this.#idle.push(thread)
    else void thread.stop()
    this.#takeTurns()
    this.#restWhenIdle()
  }

  /** A thread that ended while it was idle is left out, so that the next template is not blamed for it. */
  #idleThread(): Thread<RenderQuestion, RenderAnswers> | undefined {
    const thread = this.#idle.pop()
    return thread?.isOver ? this.#idleThread() : thread
  }

  #judged(
    project: ProjectId,
    question: RenderQuestion,
    outcome: Outcome<RenderAnswers[RenderQuestion['type']]>,
  ): AnyOutcome {
    if (outcome.kind === 'answered') return outcome
    if (outcome.kind === 'failed') {
      this.#options.log.error({ reason: outcome.reason }, 'render thread failed')
      return { kind: 'failed' }
    }
    // It did not get to work in half a minute, or this process comes to its end: that says nothing about the template.
    const isOurs = outcome.kind === 'late' ? outcome.by === 'clock' : this.#queues.size === 0
    if (isOurs) return { kind: 'busy', afterMs: SOON_MS }
    this.#options.log.warn({ why: outcome.kind }, 'template render stopped')
    this.#letRest(project, question)
    return { kind: 'stopped' }
  }

  #letRest(project: ProjectId, question: RenderQuestion): void {
    const [oldest] = this.#resting.keys()
    if (oldest !== undefined && this.#resting.size >= MAX_RESTING) this.#resting.delete(oldest)
    this.#resting.set(templateName(project, question), this.#options.clock.now() + REST_MS)
  }

  #restOf(project: ProjectId, question: RenderQuestion): number {
    if (this.#resting.size === 0) return 0
    const name = templateName(project, question)
    const restMs = (this.#resting.get(name) ?? 0) - this.#options.clock.now()
    if (restMs <= 0) this.#resting.delete(name)
    return restMs
  }

  #restWhenIdle(): void {
    if (this.#working.size > 0) return
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => void this.stop(), IDLE_MS).unref()
  }
}

/** The project is part of it: all projects have the same first templates, and what they fill in differs. */
const templateName = (project: ProjectId, { sources }: RenderQuestion): string => {
  const hash = createHash('sha256').update(project)
  for (const source of Object.values(sources)) hash.update(`${source.length} `).update(source)
  return hash.digest('base64')
}
