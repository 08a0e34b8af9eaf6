import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { movesIn, statesOf } from '../support/documented-states.ts'
import { resolved, type Document, type Schema } from '../contract/document.ts'
import { placeOf, type Block } from './blocks.ts'

/** The lists whose elements have the states that are drawn below a heading. */
const lists: Record<string, string> = {
  Project: '/projects',
  Person: '/people',
  Import: '/audiences/{id}/contacts/imports',
  'Receiving domain': '/receiving/domains',
  'Sending domain': '/domains',
  Email: '/emails',
  Broadcast: '/broadcasts',
  'Automation run': '/automations/{id}/runs',
  'Webhook delivery': '/webhooks/{id}/deliveries',
  States: '/sms/messages',
}

/** A drawing has all states that the API can answer, and no others. */
export function expectStates(root: string, block: Block): void {
  const list = lists[block.heading]
  if (list === undefined) throw new Error(`${placeOf(block)}: nobody knows where these states are answered`)
  expect(statesOf(movesIn(block.text)), placeOf(block)).toEqual(answeredStates(root, list))
}

function answeredStates(root: string, list: string): string[] {
  const document = resolved(JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as Document)
  const answer = document.paths[list]?.['get']?.responses['200']?.content?.['application/json']?.schema
  const place = ['properties', 'data', 'items', 'properties', 'status', 'enum']
  const words = place.reduce<unknown>((node, key) => (node as Schema | undefined)?.[key], answer)
  if (!Array.isArray(words)) throw new Error(`openapi.json has no states for ${list}`)
  return words.toSorted() as string[]
}
