import type { Address, Mailbox } from '../../mail/address.ts'
import type { Addresses } from './schema.ts'
import type { RecipientKind } from './states.ts'

export const mailbox = ({ name, email }: Address): Mailbox => ({ name, email })

/** The mailbox as a person would write it, without encoded words. `parseAddress` reads it back to the same mailbox. */
export function shown({ name, email }: Mailbox): string {
  if (name === '') return email
  const isPlain = !/["<>()[\]:;@\\,]|=\?/.test(name)
  return `${isPlain ? name : `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`} <${email}>`
}

export const shownOfKind = ({ recipients }: Addresses, kind: RecipientKind): string[] =>
  recipients.filter((recipient) => recipient.kind === kind).map(shown)
