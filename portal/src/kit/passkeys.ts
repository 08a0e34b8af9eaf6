import type { Credential, CredentialOptions, NewCredentialOptions } from '@posthouse/sdk'
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { words } from '../words/words.ts'

/** Why no passkey came of it, in a sentence for the person. */
export class PasskeyProblem extends Error {
  override readonly name = 'PasskeyProblem'
}

/** Passkeys belong to a name: a page that was opened by an address, such as 127.0.0.1, can have none. */
export const hasName = (host: string): boolean => !/^\[|^\d+(\.\d+){3}$/.test(host)

export const canUsePasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && isSecureContext && hasName(location.hostname)

/** ES256, EdDSA and RS256, by their numbers in COSE. */
const ALGORITHMS = [-7, -8, -257]

/** Asks the browser to make a passkey. It is kept on the device, and wants fingerprint, face or PIN each time. */
export const makePasskey = ({ rpId, ...options }: NewCredentialOptions): Promise<Credential> =>
  asked(rpId, async () => {
    const { startRegistration } = await import('@simplewebauthn/browser')
    const optionsJSON: PublicKeyCredentialCreationOptionsJSON = {
      ...options,
      rp: { id: rpId, name: words.passkeys.product },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    }
    return { ...(await startRegistration({ optionsJSON })) }
  })

/** Asks for one of this person's passkeys: at once, or when they choose it among what their browser fills in. */
export const askPasskey = (options: CredentialOptions, how: 'at once' | 'autofill' = 'at once'): Promise<Credential> =>
  asked(options.rpId, async () => {
    const { startAuthentication } = await import('@simplewebauthn/browser')
    const optionsJSON: PublicKeyCredentialRequestOptionsJSON = { ...options, userVerification: 'required' }
    return { ...(await startAuthentication({ optionsJSON, useBrowserAutofill: how === 'autofill' })) }
  })

/** Ends a question that is still open. */
export async function dropQuestion(): Promise<void> {
  const { WebAuthnAbortService } = await import('@simplewebauthn/browser')
  WebAuthnAbortService.cancelCeremony()
}

export async function canFillInPasskeys(): Promise<boolean> {
  if (!canUsePasskeys()) return false
  const { browserSupportsWebAuthnAutofill } = await import('@simplewebauthn/browser')
  return browserSupportsWebAuthnAutofill()
}

async function asked(host: string, ask: () => Promise<Credential>): Promise<Credential> {
  try {
    return await ask()
  } catch (cause) {
    const { name, code } = cause as { name?: string; code?: string }
    throw new PasskeyProblem(sentenceFor(name, code, host), { cause })
  }
}

function sentenceFor(name: string | undefined, code: string | undefined, host: string): string {
  if (code === 'ERROR_INVALID_RP_ID' || code === 'ERROR_INVALID_DOMAIN') return words.passkeys.elsewhere(host)
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return words.passkeys.known
  if (code?.startsWith('ERROR_AUTHENTICATOR_MISSING') || code?.endsWith('PARAMS_ALG')) return words.passkeys.unsuited
  return name === 'NotAllowedError' ? words.passkeys.cancelled : words.passkeys.failed
}
