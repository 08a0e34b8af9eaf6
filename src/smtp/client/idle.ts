import type { SmtpConnection } from './connection.ts'

interface Resting {
  connection: SmtpConnection
  timer: NodeJS.Timeout
}

/** Connections that have nothing to do. Each is dismissed when its time is over, or when the server leaves. */
export class Idle {
  readonly #resting: Resting[] = []
  readonly #dismiss: (connection: SmtpConnection) => void

  constructor(dismiss: (connection: SmtpConnection) => void) {
    this.#dismiss = dismiss
  }

  get size(): number {
    return this.#resting.length
  }

  get all(): SmtpConnection[] {
    return this.#resting.map(({ connection }) => connection)
  }

  /** The one that has waited longest. */
  get first(): SmtpConnection | undefined {
    return this.#resting[0]?.connection
  }

  add(connection: SmtpConnection, forMs: number): void {
    const timer = setTimeout(() => this.#dismiss(connection), forMs)
    timer.unref()
    this.#resting.push({ connection, timer })
    connection.whenOver = () => this.#dismiss(connection)
  }

  /** The one that was used last, as the one that is most likely still good. */
  take(isFit: (connection: SmtpConnection) => boolean): SmtpConnection | undefined {
    const found = this.#resting.findLast(({ connection }) => isFit(connection))?.connection
    if (found) this.remove(found)
    return found
  }

  remove(connection: SmtpConnection): void {
    const at = this.#resting.findIndex((resting) => resting.connection === connection)
    if (at === -1) return
    clearTimeout(this.#resting.splice(at, 1)[0]?.timer)
    connection.whenOver = undefined
  }
}
