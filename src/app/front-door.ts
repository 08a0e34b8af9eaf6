import type { ChildProcess } from 'node:child_process'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError } from '../core/errors.ts'
import type { ToRole } from './role-messages.ts'

/** A predecessor that was killed a moment ago may still be letting go of the port. */
const PORT_ATTEMPTS = 30
const PORT_RETRY_MS = 100

/** More callers than this at a closed door are turned away instead of kept waiting. */
const LONGEST_QUEUE = 1_024

/**
 * The supervisor holds the port and hands each connection to an API process. While none is there (it died, it is
 * being replaced), callers wait at the door instead of being refused, so a restart costs time but no request.
 */
export class FrontDoor {
  readonly #server: Server
  readonly #waiting: Socket[] = []
  #hosts: ChildProcess[] = []

  constructor() {
    // The connection is left unread: its first byte belongs to the process that will answer.
    this.#server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => this.#receive(socket))
  }

  async listen(host: string, port: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await listenOnce(this.#server, host, port)
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code
        if (code !== 'EADDRINUSE' || attempt === PORT_ATTEMPTS) throw explain(code, host, port)
        await sleep(PORT_RETRY_MS)
      }
    }
  }

  /** From now on this process gets connections, those that wait first. */
  admit(host: ChildProcess): void {
    this.#hosts.push(host)
    for (const socket of this.#waiting.splice(0)) this.#receive(socket)
  }

  dismiss(host: ChildProcess): void {
    this.#hosts = this.#hosts.filter((other) => other !== host)
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#waiting.splice(0)) socket.destroy()
  }

  #receive(socket: Socket): void {
    const host = this.#hosts.shift()
    if (host === undefined) {
      if (this.#waiting.length >= LONGEST_QUEUE) socket.destroy()
      else this.#waiting.push(socket)
      return
    }
    this.#hosts.push(host)
    host.send({ type: 'connection' } satisfies ToRole, socket, (error) => {
      if (error) socket.destroy()
    })
  }
}

const listenOnce = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve()
    })
  })

function explain(code: string | undefined, host: string, port: number): SetupError {
  switch (code) {
    case 'EADDRINUSE':
      return new SetupError(
        `Port ${port} on ${host} is taken by another program. Stop it, or choose another with PORT.`,
      )
    case 'EACCES':
      return new SetupError(`Port ${port} needs more rights than this user has. Choose one above 1023 with PORT.`)
    default:
      return new SetupError(`Cannot listen on ${host} port ${port} (${code}). Check HOST and PORT.`)
  }
}
