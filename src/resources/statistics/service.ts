import type { ProjectContext } from '../../core/caller.ts'
import type { DomainId, ProjectId, TemplateId, WebhookId } from '../../core/ids.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import { MAX_CELLS, MINUTES_KEPT_DAYS, TAGS_KEPT_DAYS } from './limits.ts'
import { idOf, mailQuestion, tooManySeries, webhookQuestion } from './question.ts'
import type { AskMail, AskWebhooks, MailStatistics, WebhookStatistics } from './schema.ts'
import {
  foldMail,
  foldWebhooks,
  forgetOld,
  forgetTags,
  lockFolds,
  mailSums,
  now,
  webhookSums,
} from './store/numbers.ts'
import { mailView, seriesOf, webhookView, type Waiting } from './views.ts'

interface StatisticsOptions {
  db: Database
  /** Counts by hour are kept for so long. */
  retainDays: number
  /** What a project has to deliver at this moment. */
  waiting(project: ProjectId): Promise<Waiting>
  /** Each throws `not_found` for what the project does not have. */
  require: {
    domain(project: ProjectContext, id: DomainId): Promise<unknown>
    template(project: ProjectContext, id: TemplateId): Promise<unknown>
    endpoint(project: ProjectContext, id: WebhookId): Promise<unknown>
  }
}

/** So many rows are moved at a time: a transaction of a second, not of a minute. */
const FOLDED_AT_ONCE = 20_000

export class Statistics {
  readonly #options: StatisticsOptions
  readonly #db: Database

  constructor(options: StatisticsOptions) {
    this.#options = options
    this.#db = options.db
  }

  async ofMail(project: ProjectContext, asked: AskMail): Promise<MailStatistics> {
    const { id } = project
    const { require } = this.#options
    const domain = idOf('dom', asked.domainId, 'sending domain')
    const template = idOf('tpl', asked.templateId, 'template')
    if (domain !== undefined) await require.domain(project, domain)
    if (template !== undefined) await require.template(project, template)
    const moment = await this.#now()
    const question = mailQuestion(asked, { now: moment, retainDays: this.#options.retainDays })
    const [sums, waiting] = await Promise.all([mailSums(this.#db.reads, id, question), this.#options.waiting(id)])
    const points = question.withPoints ? question.bounds.length - 1 : 1
    if (seriesOf(sums).length * points > MAX_CELLS) throw tooManySeries()
    return mailView(question, asked.groupBy, sums, moment, waiting)
  }

  async ofWebhooks(project: ProjectContext, asked: AskWebhooks): Promise<WebhookStatistics> {
    const { id } = project
    const endpoint = idOf('whk', asked.endpointId, 'webhook endpoint')
    if (endpoint !== undefined) await this.#options.require.endpoint(project, endpoint)
    const moment = await this.#now()
    const question = webhookQuestion(asked, { now: moment, retainDays: this.#options.retainDays })
    const sums = await webhookSums(this.#db.reads, id, question)
    return webhookView(question, asked.endpointId ?? null, sums, moment)
  }

  /** Moves what was added into the tables that are quick to read. `hold` makes sure that the job is still ours. */
  async fold(hold: (tx: Tx) => Promise<void>, signal: AbortSignal): Promise<void> {
    for (const some of [foldMail, foldWebhooks]) {
      const fold = (): Promise<number> =>
        this.#db.transaction(async (tx) => {
          await hold(tx)
          // The next minute's job may begin before this one ends, and both would change the same rows.
          await lockFolds(tx)
          return some(tx, FOLDED_AT_ONCE)
        })
      while ((await fold()) === FOLDED_AT_ONCE) signal.throwIfAborted()
    }
  }

  async forgetOld(signal: AbortSignal): Promise<void> {
    const { retainDays } = this.#options
    const kept = { minutes: MINUTES_KEPT_DAYS, quarters: retainDays, hours: retainDays }
    for (const family of ['mail', 'webhooks'] as const) {
      for (const grain of ['minutes', 'quarters', 'hours'] as const) {
        while (await forgetOld(this.#db, family, grain, kept[grain])) signal.throwIfAborted()
      }
    }
    await forgetTags(this.#db, TAGS_KEPT_DAYS)
  }

  async #now(): Promise<Date> {
    return (await now(this.#db.reads)).now
  }
}
