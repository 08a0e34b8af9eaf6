/**
 * MTA-STS (RFC 8461): a domain's word on which hosts take its mail, and that they have good certificates.
 *
 *   no policy → known       the record has an id, and its policy could be fetched
 *   known → known           the id has changed, or half of `max_age` is over: fetched anew
 *   known → known           the record or the policy cannot be had: what we have holds until its `max_age` is over
 *   known → no policy       `max_age` is over, and nothing new can be had
 *
 * Somebody who can disturb our DNS can thus only keep us from learning of a policy, not make us forget one (§5.1).
 * Policies live in memory: after a restart they are learnt again with the first mail to each domain.
 */
import type { Clock } from '../../core/clock.ts'
import type { Dns } from '../../net/dns.ts'
import { parseStsPolicy, stsId, type StsPolicy } from './sts-policy.ts'
import type { FetchPolicy } from './sts-fetch.ts'

export interface StsOptions {
  dns: Dns
  fetch: FetchPolicy
  clock: Clock
  mostRemembered?: number
}

interface Known {
  id: string
  policy: StsPolicy
  /** Early enough to survive days in which the policy cannot be fetched. */
  renewAt: number
  until: number
}

const MAX_REMEMBERED = 10_000
/** §3.3: after a failed fetch the host is not asked again for some minutes. */
const FETCH_AGAIN_MS = 300_000

export class MtaSts {
  readonly #options: StsOptions
  readonly #most: number
  readonly #known = new Map<string, Known>()
  readonly #notBefore = new Map<string, number>()
  readonly #fetching = new Map<string, Promise<void>>()

  constructor(options: StsOptions) {
    this.#options = options
    this.#most = options.mostRemembered ?? MAX_REMEMBERED
  }

  /** Returns the policy that has to be enforced for mail to this domain; undefined when there is none. */
  async enforcedFor(domain: string): Promise<StsPolicy | undefined> {
    const answer = await this.#options.dns.txt(`_mta-sts.${domain}`)
    const id = answer.kind === 'found' ? stsId(answer.records) : undefined
    if (id !== undefined) await this.#refresh(domain, id)
    const known = this.#current(domain)
    return known?.policy.mode === 'enforce' ? known.policy : undefined
  }

  async #refresh(domain: string, id: string): Promise<void> {
    const known = this.#current(domain)
    if (known?.id === id && known.renewAt > this.#options.clock.now()) return
    const pending = this.#fetching.get(domain)
    if (pending) return pending
    if ((this.#notBefore.get(domain) ?? 0) > this.#options.clock.now()) return
    const fetching = this.#fetch(domain, id).finally(() => this.#fetching.delete(domain))
    this.#fetching.set(domain, fetching)
    await fetching
  }

  async #fetch(domain: string, id: string): Promise<void> {
    const text = await this.#options.fetch(domain)
    const now = this.#options.clock.now()
    const policy = text === undefined ? undefined : parseStsPolicy(text)
    if (policy === undefined) {
      remember(this.#notBefore, domain, now + FETCH_AGAIN_MS, this.#most)
      return
    }
    this.#notBefore.delete(domain)
    const ageMs = policy.maxAgeSeconds * 1_000
    remember(this.#known, domain, { id, policy, renewAt: now + ageMs / 2, until: now + ageMs }, this.#most)
  }

  #current(domain: string): Known | undefined {
    const known = this.#known.get(domain)
    return known && known.until >= this.#options.clock.now() ? known : undefined
  }
}

/** The least recently learnt goes first. */
function remember<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= most) return
    map.delete(oldest)
  }
}
