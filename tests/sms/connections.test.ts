import { expect, test } from 'vitest'
import { plainTextWarning } from '../../src/app/sms-connections.ts'
import { liveWorld, smppConnection } from '../support/sms-live.ts'

const http = { kind: 'http', accountSid: 'AC1', authToken: 'x', maxPartsPerSecond: 1 } as const
const smpp = {
  kind: 'smpp',
  host: 'smsc.example.net',
  port: 1,
  systemId: 'a',
  password: 'x',
  maxPartsPerSecond: 1,
} as const

test.each([
  ['http over https', { ...http, baseUrl: 'https://carrier.example' }, undefined],
  ['http over http', { ...http, baseUrl: 'http://carrier.example' }, /main is not encrypted.*https:/],
  ['http in capitals', { ...http, baseUrl: 'HTTP://carrier.example' }, /not encrypted/],
  ['smpp over tls', { ...smpp, tls: true }, undefined],
  ['smpp', smpp, /main is not encrypted.*"tls": true/],
  ['smpp without tls', { ...smpp, tls: false }, /not encrypted/],
])('%s is warned of where others could listen', (_, settings, words) => {
  const warning = plainTextWarning('main', settings)
  if (words === undefined) expect(warning).toBeUndefined()
  else expect(warning).toMatch(words)
})

test('a worker that connects without encryption says so in its log', async () => {
  const { logs } = await liveWorld(smppConnection(1))
  const line = logs.find((each) => each.includes('is not encrypted'))
  expect(JSON.parse(line!)).toMatchObject({ connection: 'main', level: expect.anything() })
})
