import { DomainError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { emailOfToken } from '../core/mail-reference.ts'
import type { Emails } from '../resources/emails/index.ts'
import type { SystemMailer } from '../resources/people/index.ts'
import type { Vault } from './vault.ts'

interface SystemMailOptions {
  /** Nothing is mailed without one. */
  sender: string | undefined
  emails: () => Emails
  vault: Vault
  log: Log
}

/** Our own mail is an ordinary email of the project whose domain the sender is at, and shares its fate. */
export const systemMailer = ({ sender, emails, vault, log }: SystemMailOptions): SystemMailer => ({
  emailOf: (link, token) => emailOfToken(vault.mailTokenKeys, link, token),
  send: async (workspace, { to, subject, text, link }) => {
    if (sender === undefined) return undefined
    const body = { from: sender, to, subject, text, tracking: { opens: false, clicks: false } }
    try {
      return await emails().sendAccountLink(workspace, body, link)
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'unavailable') throw error
      log.warn({ link, code: error.code }, 'system mail not sent')
      return undefined
    }
  },
})
