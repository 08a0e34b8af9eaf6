import { call } from './api.ts'

/** Whether this browser, at this address, can use passkeys; an address of numbers cannot. */
export const hasPasskeys = (): boolean =>
  globalThis.isSecureContext &&
  typeof PublicKeyCredential !== 'undefined' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
  !/^[\d.:[\]]+$/.test(globalThis.location.hostname)

/** Asks for one of the person's passkeys, and returns what the API wants to see. */
export async function askForPasskey(): Promise<Record<string, unknown>> {
  const options = await call('POST /session/passkey/options')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  const credential = await navigator.credentials.get({ publicKey })
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser gave no passkey.')
  return { ...credential.toJSON() }
}
