import { isIP } from 'node:net'
import { createSecureContext, type ConnectionOptions, type SecureContext } from 'node:tls'

/**
 * `opportunistic` uses TLS where the server offers it and ignores its certificate; `verified` requires TLS with a valid
 * certificate.
 */
export type Security = 'opportunistic' | 'verified'

/** Makes the options for TLS. It creates each context once, because that takes half a millisecond. */
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
      // An IP address is no server name (RFC 6066 §3), but a certificate can be issued for it.
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
