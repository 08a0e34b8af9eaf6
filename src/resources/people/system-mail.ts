import type { EmailId, WorkspaceId } from '../../core/ids.ts'
import { HIDDEN_TOKEN, type AccountLink } from '../../core/mail-reference.ts'
import { hashToken } from '../../core/secret-token.ts'
import type { LinkMark } from './schema.ts'

/** Mail of ours to a person who is to sign in by a link. */
export interface SystemMail {
  to: string
  subject: string
  /** With `HIDDEN_TOKEN` where the token of the link belongs. */
  text: string
  link: AccountLink
}

export interface SystemMailer {
  /** Undefined when nothing was sent: there is no sender for it, or its domain is not verified. */
  send(workspace: WorkspaceId, mail: SystemMail): Promise<EmailId | undefined>
  /** The email that brought a token; undefined for a token that came in none. */
  emailOf(link: AccountLink, token: string): EmailId | undefined
}

/** How the link of a token is known: a token that was mailed is signed, any other one is random. */
export const markOf = (mailer: SystemMailer, link: AccountLink, token: string): LinkMark => ({
  tokenHash: hashToken(token),
  emailId: mailer.emailOf(link, token) ?? null,
})

export const invitationMail = (to: string, workspace: string, inviter: string | null, page: string): SystemMail => ({
  to,
  link: 'invitation',
  subject: `You are invited to ${workspace}`,
  text: [
    inviter === null
      ? `You are invited to the workspace ${workspace}.`
      : `${inviter} invites you to the workspace ${workspace}.`,
    '',
    'Follow this link to join. It is good once, for seven days:',
    '',
    `${page}${HIDDEN_TOKEN}`,
    '',
    'If you do not know what this is about, you can ignore it.',
    '',
  ].join('\n'),
})

export const recoveryMail = (to: string, workspace: string, page: string): SystemMail => ({
  to,
  link: 'recovery',
  subject: `Sign in to ${workspace} again`,
  text: [
    `You, or a person who knows your address, asked for a link to get back into the workspace ${workspace}.`,
    '',
    'Follow this link to choose a new password or passkey. It is good once, for an hour:',
    '',
    `${page}${HIDDEN_TOKEN}`,
    '',
    'If it was not you, you can ignore this: nothing changes.',
    '',
  ].join('\n'),
})
