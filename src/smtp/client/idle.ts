import type { SmtpConnection } from './connection.ts'

interface IdleConnection {
  connection: SmtpConnection
  timer: NodeJS.Timeout
}

/** Connections that have nothing to do. Each is dismissed when its time is over, or when the server leaves. */
export class IdleConnections {
  readonly #connections: IdleConnection[] = []
  readonly #discard: (connection: SmtpConnection) => void

  constructor(discard: (connection: SmtpConnection) => void) {
    this.#discard = discard
  }

  get size(): number {
    return this.#connections.length
  }

  get all(): SmtpConnection[] {
    return this.#connections.map(({ connection }) => connection)
  }

  /** The one that has waited longest. */
  get first(): SmtpConnection | undefined {
    return this.#connections[0]?.connection
  }

  add(connection: SmtpConnection, forMs: number): void {
    const timer = setTimeout(() => this.#discard(connection), forMs)
    timer.unref()
    this.#connections.push({ connection, timer })
    connection.onClosed = () => this.#discard(connection)
  }

  /** The one that was used last, as the one that is most likely still good. */
  take(isFit: (connection: SmtpConnection) => boolean): SmtpConnection | undefined {
    const found = this.#connections.findLast(({ connection }) => isFit(connection))?.connection
    if (found) this.remove(found)
    return found
  }

  remove(connection: SmtpConnection): void {
    const at = this.#connections.findIndex((entry) => entry.connection === connection)
    if (at === -1) return
    clearTimeout(this.#connections.splice(at, 1)[0]?.timer)
    connection.onClosed = undefined
  }
}
