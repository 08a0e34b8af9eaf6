import { Agent, request } from 'node:http'

export interface Tally {
  succeeded: number
  /** What went wrong, each as one line. */
  failures: string[]
}

/**
 * Callers who ask again as soon as they were answered, over new connections or over ones they keep, until told to stop.
 * Node's own client is used bare: unlike `fetch`, it never tries a request twice by itself.
 */
export class SteadyStream {
  readonly tally: Tally = { succeeded: 0, failures: [] }
  readonly #callers: Promise<void>[]
  readonly #agent: Agent
  #over = false

  constructor(url: string, key: string, { callers, keepAlive }: { callers: number; keepAlive: boolean }) {
    this.#agent = new Agent({ keepAlive })
    const call = () => this.#request(`${url}/api/v1/projects`, key)
    this.#callers = Array.from({ length: callers }, async () => {
      while (!this.#over) await call()
    })
  }

  async stop(): Promise<Tally> {
    this.#over = true
    await Promise.all(this.#callers)
    this.#agent.destroy()
    return this.tally
  }

  #request(url: string, key: string): Promise<void> {
    return new Promise((resolve) => {
      const fail = (reason: string): void => {
        this.tally.failures.push(reason)
        resolve()
      }
      const headers = { authorization: `Bearer ${key}` }
      const asked = request(url, { agent: this.#agent, headers, timeout: 20_000 }, (response) => {
        response.resume()
        response.on('end', () => {
          if (response.statusCode !== 200) return fail(`status ${response.statusCode}`)
          this.tally.succeeded++
          resolve()
        })
        response.on('error', (error) => fail(error.message))
      })
      asked.on('timeout', () => asked.destroy(new Error('no answer in 20 s')))
      asked.on('error', (error) => fail(error.message))
      asked.end()
    })
  }
}
