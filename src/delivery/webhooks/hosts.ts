/**
 * Limits the requests to one host. One event can be for hundreds of endpoints, of many projects, that all live at one
 * host: together they get so many requests at a time. Dispatch cannot say that, as its destinations are the endpoints.
 * A delivery does not wait here, as it would keep a slot that endpoints elsewhere could use; it comes back later. While
 * half of the requests are taken an endpoint gets no second one, so that a few that never answer leave some to others.
 */
export class Hosts {
  readonly #most: () => number
  readonly #hosts = new Map<string, Map<string, number>>()

  constructor(most: () => number) {
    this.#most = most
  }

  /** Undefined, and nothing is done, when the host has no room for this endpoint now. */
  async take<T>(host: string, endpoint: string, work: () => Promise<T>): Promise<T | undefined> {
    const requests = this.#hosts.get(host) ?? new Map<string, number>()
    const own = requests.get(endpoint) ?? 0
    if (!this.#hasRoom(requests, own)) return undefined
    this.#hosts.set(host, requests)
    requests.set(endpoint, own + 1)
    try {
      return await work()
    } finally {
      this.#leave(host, endpoint, requests)
    }
  }

  #hasRoom(requests: ReadonlyMap<string, number>, own: number): boolean {
    const most = this.#most()
    let busy = 0
    for (const count of requests.values()) busy += count
    return busy < (own === 0 ? most : Math.max(1, Math.floor(most / 2)))
  }

  #leave(host: string, endpoint: string, requests: Map<string, number>): void {
    const left = (requests.get(endpoint) ?? 1) - 1
    if (left > 0) requests.set(endpoint, left)
    else requests.delete(endpoint)
    if (requests.size === 0) this.#hosts.delete(host)
  }
}
