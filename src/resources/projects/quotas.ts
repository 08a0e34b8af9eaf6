import { DomainError } from '../../core/errors.ts'
import type { ProjectId } from '../../core/ids.ts'
import type { Tx } from '../../storage/postgres.ts'
import * as store from './store.ts'

const LEVELS_PER_PROJECT = 2

/** What some projects may still send, in one transaction that holds their counters. */
export class Quotas {
  readonly #levels: readonly store.QuotaLevel[]
  readonly #taken = new Map<ProjectId, number>()

  private constructor(levels: readonly store.QuotaLevel[]) {
    this.#levels = levels
  }

  static async open(tx: Tx, projects: readonly ProjectId[]): Promise<Quotas> {
    const levels = await store.lockUsage(tx, projects)
    if (levels.length === projects.length * LEVELS_PER_PROJECT) return new Quotas(levels)
    await store.beginUsage(tx, projects)
    return new Quotas(await store.lockUsage(tx, projects))
  }

  /** Counts recipients; a refusal, and nothing counted, when they do not all fit. */
  take(project: ProjectId, recipients: number): DomainError | undefined {
    const before = this.#taken.get(project) ?? 0
    for (const { projectId, quota, limit, used, resetsAt } of this.#levels) {
      if (projectId !== project || limit === null || used + before + recipients <= limit) continue
      const extra = { quota, limit, used: used + before, resetsAt: resetsAt.toISOString() }
      return new DomainError('quota_exceeded', `The project's quota ${quota} of ${limit} is used up.`, extra)
    }
    this.#taken.set(project, before + recipients)
    return undefined
  }

  /** How many recipients would fit, and if that is not for ever, when there is room again. */
  left(project: ProjectId): { recipients: number; resetsAt: Date | undefined } {
    const taken = this.#taken.get(project) ?? 0
    const limited = this.#levels
      .filter(({ projectId, limit }) => projectId === project && limit !== null)
      .map(({ limit, used, resetsAt }) => ({ recipients: Math.max(0, Number(limit) - used - taken), resetsAt }))
    return limited.reduce<{ recipients: number; resetsAt: Date | undefined }>(
      (least, one) => (one.recipients < least.recipients ? one : least),
      { recipients: Infinity, resetsAt: undefined },
    )
  }

  async write(tx: Tx): Promise<void> {
    if (this.#taken.size > 0) await store.addUsage(tx, [...this.#taken.keys()], [...this.#taken.values()])
  }
}
