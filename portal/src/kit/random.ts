/** A key that nobody else has. `crypto.randomUUID` is not there on plain http, so the bytes are taken themselves. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
