/** Names and sentences of the OpenAPI document that follow from other names. */
import type { TSchema } from 'typebox'
import { NAME, type JsonSchema } from '../shapes/json-schema.ts'

/** `email.delivered` → `EmailDelivered`, `/toy-boxes/:id` → `ToyBoxesId`. */
export const joinedWords = (name: string): string =>
  name
    .split(/[/:.-]+/)
    .filter((word) => word !== '')
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join('')

/** What a success answers, by the description or the name of its shape. */
export function successSentence(reply: TSchema, status: string): string {
  const { [NAME]: name, description } = reply as JsonSchema & { description?: string }
  if (name === undefined || description !== undefined) return description ?? 'What came of it.'
  const [, listed] = /^(\w+)Page$/.exec(name) ?? []
  if (listed !== undefined) return `A page of ${plural(spoken(listed))}.`
  const [, deleted] = /^Deleted(\w+)$/.exec(name) ?? []
  if (deleted !== undefined) return `The ${spoken(deleted)} is deleted.`
  return `The ${status === '201' ? 'new ' : ''}${spoken(name.replace(/^(Created|Recorded)/, ''))}.`
}

/** `SmsLedgerEntry` → `SMS ledger entry`. */
const spoken = (name: string): string =>
  name
    .replace(/^Sms$/, 'SmsMessage')
    .replaceAll(/(?!^)[A-Z]/g, ' $&')
    .toLowerCase()
    .replaceAll(/\b(api|dns|sms)\b/g, (word) => word.toUpperCase())

const plural = (words: string): string => `${words.replace(/(?<![aeiou])y$/, 'ie')}s`
