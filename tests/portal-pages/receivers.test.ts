import { expect, test } from 'vitest'
import { receiver } from '../../portal/src/pages/webhooks/receivers.ts'
import { receiverLanguages } from '../../portal/src/pages/webhooks/languages.ts'
import { newSecret } from '../../src/resources/webhooks/secrets.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/posthouse-process.ts'
import { startProgram } from '../support/program.ts'
import { sentHeaders } from '../support/sent-webhooks.ts'

const names = { url: 'https://shop.example/hooks/posthouse', events: ['email.bounced', 'email.opened'] }
const body = '{"type":"email.bounced","messageId":"em_1","recipient":"ann@example.org"}'

test.each(['plain', 'standard'] as const)(
  'the receiver in TypeScript takes what is signed, and nothing else: %s',
  async (form) => {
    const secret = newSecret()
    const port = await freePort()
    const env = { PORT: String(port), POSTHOUSE_WEBHOOK_SECRET: secret }
    const printed = startProgram(receiver('typescript', form, names), 'receiver.mts', env)
    const timestamp = Math.floor(Date.now() / 1_000)
    const signed = (text: string, at = timestamp) => sentHeaders([secret, newSecret()], at, text)
    const post = async (headers: Record<string, string>, path = '/hooks/posthouse') =>
      (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body, headers })).status
    await eventually('the receiver answers', async () => (await post({})) === 401)
    expect(await post(signed(body))).toBe(204)
    expect(await post(signed(`${body} `))).toBe(401)
    expect(await post(signed(body), '/elsewhere')).toBe(401)
    if (form === 'standard') expect(await post(signed(body, timestamp - 3_600))).toBe(401)
    await eventually('the receiver has read the event', () => printed().includes('em_1 ann@example.org'))
  },
)

test('receivers in all languages have the names of the endpoint in them, and no place left over', () => {
  for (const language of receiverLanguages) {
    for (const form of ['plain', 'standard'] as const) {
      const program = receiver(language, form, names)
      expect(program).toContain('/hooks/posthouse')
      expect(program).toContain('email.bounced')
      expect(program).not.toMatch(/[«»]|undefined/)
    }
  }
})
