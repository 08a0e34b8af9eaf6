/** What can happen while the browser asks for a passkey. */
export const passkeys = {
  product: 'Posthouse',
  cancelled: 'No passkey was chosen. Try again, or take another way.',
  known: 'This device has a passkey for this account already.',
  unsuited: 'This device cannot keep a passkey with a fingerprint, face or PIN. Take another one, or a password.',
  elsewhere: (host: string) => `Passkeys belong to ${host}. Open the portal there to use one.`,
  failed: 'The browser could not do that with a passkey. Try again, or take another way.',
}
