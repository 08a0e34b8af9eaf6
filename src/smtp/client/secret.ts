/** Takes a text that only we and the server may know out of what the server said, before that is kept anywhere. */
import type { Result } from './attempt.ts'

/** Servers may write it in capitals, and it is the same secret then. */
export const struck = (text: string, secret: string): string =>
  secret === '' ? text : text.replaceAll(new RegExp(RegExp.escape(secret), 'gi'), '…')

/** What became of an attempt, with the secret left out of every reply. */
export function withoutSecret(result: Result, secret: string): Result {
  if ('reply' in result) return { ...result, reply: { ...result.reply, text: struck(result.reply.text, secret) } }
  return 'reason' in result ? { ...result, reason: struck(result.reason, secret) } : result
}
