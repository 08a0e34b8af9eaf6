import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { HttpSettings, SmppSettings } from '../../src/app/sms-settings.ts'
import { smsCommands } from '../../src/cli/sms.ts'
import { eventCatalogue } from '../../src/events/kinds.ts'
import { statuses } from '../../src/resources/sms/messages/schema/messages.ts'

const page = readFileSync(new URL('../../docs/sms.md', import.meta.url), 'utf8')
const missing = (words: readonly string[]): string[] => words.filter((word) => !page.includes(`\`${word}\``))

test('the page about SMS names every command, every setting of a connection, every event and every state', () => {
  expect(missing(smsCommands.map(({ name }) => name))).toEqual([])
  const settings = [...Object.keys(SmppSettings.properties), ...Object.keys(HttpSettings.properties)]
  expect(missing(settings.filter((name) => name !== 'kind'))).toEqual([])
  expect(missing(Object.keys(eventCatalogue).filter((kind) => kind.startsWith('sms.')))).toEqual([])
  expect(missing(statuses)).toEqual([])
})

test('and every number of the simulator that does something of its own', () => {
  const told = [...page.matchAll(/\| (\d\d)(?=[ ,])/g)].map(([, number]) => Number(number))
  expect(told.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i))
})
