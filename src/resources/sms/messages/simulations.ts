/** What the simulator's networks and handsets do after a message, each when its time has come and across restarts. */
import type { Log } from '../../../core/log.ts'
import type { Queue } from '../../../dispatch/queue.ts'
import type { SimulatedEvent } from '../../../sms/simulator.ts'
import type { Database } from '../../../storage/postgres.ts'
import { SIMULATOR } from './connections.ts'
import type { SmsInbox } from './inbound.ts'
import type { SmsReports } from './reports.ts'
import * as store from './store/inbound.ts'

type Played = 'done' | 'later'

const LATER_MS = 5_000

export class SmsSimulations {
  readonly table = 'sms_simulations'
  readonly #db: Database
  readonly #reports: SmsReports
  readonly #inbox: SmsInbox
  readonly #log: Log

  constructor({ db, reports, inbox, log }: { db: Database; reports: SmsReports; inbox: SmsInbox; log: Log }) {
    this.#db = db
    this.#reports = reports
    this.#inbox = inbox
    this.#log = log
  }

  /** Told twice does no harm: reports are ranked, and messages that came before are known. */
  queue(): Queue<Played> {
    return {
      table: this.table,
      lanes: [{ lane: 0, share: 1, kept: 0 }],
      // Its destinations are messages, and what happens to one of them happens in order.
      limits: () => ({ concurrency: 1 }),
      handle: ({ id }) => this.#play(id),
      failed: ({ id }, error) => {
        this.#log.error({ err: error, simulation: id }, 'SMS simulation failed')
        return 'later'
      },
      record: async (tx, settled) => {
        const those = (outcome: Played): string[] =>
          settled.filter((one) => one.outcome === outcome).map(({ item }) => item.id)
        const [done, later] = [those('done'), those('later')]
        if (done.length > 0) await store.endSimulations(tx, done)
        if (later.length > 0) await store.postponeSimulations(tx, later, LATER_MS)
      },
    }
  }

  async #play(id: string): Promise<Played> {
    const [simulation] = await store.simulations(this.#db, [id])
    if (simulation === undefined) return 'done'
    // Written with the outcome of the part, as `simulate` made it.
    const event = simulation.happening as SimulatedEvent
    if (event.kind === 'receipt') await this.#reports.receipt(SIMULATOR, event.receipt)
    else await this.#inbox.simulated(simulation.messageId, event.text, id)
    return 'done'
  }
}
