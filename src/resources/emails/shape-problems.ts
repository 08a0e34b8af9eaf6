import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import type { Problem } from '../../core/errors.ts'
import { pathInBatch } from './answers.ts'
import { readEmail } from './read-request.ts'
import { SendEmail } from './schema.ts'
import { MAX_IN_BATCH } from './states.ts'

export const problemsInEmail = (sent: unknown, now: number): Problem[] => problemsBesideShape(sent, '', now)

export function problemsInBatch(sent: unknown, now: number): Problem[] {
  const { emails } = (sent ?? {}) as { emails?: unknown }
  if (!Array.isArray(emails)) return []
  return emails.slice(0, MAX_IN_BATCH).flatMap((email, i) => problemsBesideShape(email, pathInBatch(i), now))
}

/** What is wrong with an email beside its shape. */
function problemsBesideShape(sent: unknown, path: string, now: number): Problem[] {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return []
  const shapes = new Map<string, TSchema>(Object.entries(SendEmail.properties))
  const readable = Object.entries(sent).filter(([name, value]) => {
    const shape = shapes.get(name)
    return shape !== undefined && Check(shape, value)
  })
  return readEmail(Object.fromEntries(readable), path, now, sent).problems
}
