import type { Result } from '../../smtp/client/attempt.ts'
import { struck } from '../../smtp/client/secret.ts'

/** What became of an attempt, with the secret left out of every reply. */
export function withoutSecret(result: Result, secret: string): Result {
  if ('reply' in result) return { ...result, reply: { ...result.reply, text: struck(result.reply.text, secret) } }
  return 'reason' in result ? { ...result, reason: struck(result.reason, secret) } : result
}
