import { createHash } from 'node:crypto'
import { asUuid, decodeId, encodeId, idPattern, type EmailId } from './ids.ts'
import { readToken, signToken, type TokenKeys } from './token.ts'

/** The reference names one recipient of one email. */
export interface MailReference {
  emailId: EmailId
  /** The position is the place among the recipients. */
  position: number
}

/**
 * The name of one recipient's copy of an email, as webhooks tell it: the email's id for the first recipient, and
 * `<email id>.<n>` for the n-th. So two recipients never share one, and a single recipient has the plain id.
 */
export const encodeReference = ({ emailId, position }: MailReference): string =>
  position === 0 ? encodeId('em', emailId) : `${encodeId('em', emailId)}.${position + 1}`

export const referencePattern = `${idPattern('em').slice(0, -1)}(\\.([2-9]|[1-9][0-9]))?$`

/** Undefined for anything that `encodeReference` could not have written. */
export function decodeReference(text: string): MailReference | undefined {
  const [, id = '', n = '1'] = /^([^.]+)(?:\.([2-9]|[1-9][0-9]))?$/.exec(text) ?? []
  const emailId = decodeId('em', id)
  return emailId && { emailId, position: Number(n) - 1 }
}

/** A token in a sent mail has one of these purposes: bounces come back to it, or a link in the mail has it. */
export type ReferencePurpose = 'recipient' | 'unsubscribe' | 'open' | AccountLink

/** Links by which people come in. */
export type AccountLink = 'invitation' | 'recovery'

/**
 * In the stored text of such a mail this stands for the token, which is put in when the mail leaves: whoever reads mail, or
 * the database, finds no way in.
 */
export const HIDDEN_TOKEN = '#hidden'

const MAILED = 'pm_'

export const mailedToken = (keys: TokenKeys, link: AccountLink, reference: MailReference): string =>
  `${MAILED}${signReference(keys, link, reference)}`

/** The email that brought the token; undefined for one that came in no mail of ours. */
export const emailOfToken = (keys: TokenKeys, link: AccountLink, token: string): EmailId | undefined =>
  token.startsWith(MAILED) ? readReference(keys, link, token.slice(MAILED.length))?.emailId : undefined

const ID_BYTES = 16
const REFERENCE_BYTES = ID_BYTES + 1

export const signReference = (keys: TokenKeys, purpose: ReferencePurpose, reference: MailReference): string =>
  signToken(keys, purpose, bytesOf(reference))

/** Undefined for anything that we did not sign for this purpose. */
export function readReference(keys: TokenKeys, purpose: ReferencePurpose, token: string): MailReference | undefined {
  const bytes = readToken(keys, purpose, token)
  return bytes?.length === REFERENCE_BYTES ? referenceIn(bytes) : undefined
}

/** Signs a link that redirects: recipients can read its target and not replace it. */
export const signClick = (keys: TokenKeys, reference: MailReference, target: string): string =>
  signToken(keys, 'click', Buffer.concat([bytesOf(reference), digestOf(target)]))

export function readClick(keys: TokenKeys, token: string, target: string): MailReference | undefined {
  const bytes = readToken(keys, 'click', token)
  if (bytes === undefined || !bytes.subarray(REFERENCE_BYTES).equals(digestOf(target))) return undefined
  return referenceIn(bytes)
}

const bytesOf = ({ emailId, position }: MailReference): Buffer =>
  Buffer.concat([Buffer.from(emailId.replaceAll('-', ''), 'hex'), Buffer.of(position)])

const referenceIn = (bytes: Buffer): MailReference => ({
  emailId: asUuid(bytes.toString('hex', 0, ID_BYTES)) as EmailId,
  position: bytes.readUInt8(ID_BYTES),
})

const digestOf = (target: string): Buffer => createHash('sha256').update(target).digest().subarray(0, 16)

const RETURN_PATH = 'bounce.'

/** Returns the host to which bounces of mail from a domain come back. */
export const returnPathHost = (domain: string): string => `${RETURN_PATH}${domain}`

/** The domain whose return path this would be. */
export const domainOfReturnPath = (host: string): string | undefined =>
  host.startsWith(RETURN_PATH) ? host.slice(RETURN_PATH.length) : undefined
