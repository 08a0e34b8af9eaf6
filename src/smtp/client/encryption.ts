import { isIP } from 'node:net'
import { createSecureContext, type ConnectionOptions, type SecureContext } from 'node:tls'

/** `opportunistic`: TLS where it can be had, no certificate is looked at. `verified`: not without a good one. */
export type Security = 'opportunistic' | 'verified'

/** How we set up TLS. Contexts are made once: each takes half a millisecond. */
export class Encryption {
  readonly #authorities: readonly string[] | undefined
  readonly #contexts = new Map<Security, SecureContext>()

  /** Certificates of authorities instead of those that Node knows. */
  constructor(authorities?: readonly string[]) {
    this.#authorities = authorities
  }

  to(host: string, security: Security, session: Buffer | undefined): ConnectionOptions {
    return {
      secureContext: this.#context(security),
      rejectUnauthorized: security === 'verified',
      host,
      // An address is no server name (RFC 6066 §3), but it can be what the certificate is for.
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(session ? { session } : {}),
    }
  }

  #context(security: Security): SecureContext {
    const known = this.#contexts.get(security)
    if (known) return known
    const ca = this.#authorities ? { ca: [...this.#authorities] } : {}
    const context = createSecureContext(security === 'verified' ? ca : anyEncryption)
    this.#contexts.set(security, context)
    return context
  }
}

/** Weak encryption is better than the plain text that would be next (RFC 7435). */
const anyEncryption = { minVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const
