import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/posthouse-process.ts'
import { startProgram } from '../support/program.ts'
import { startReceiver } from '../support/receiver.ts'
import { webhookWorld } from '../support/webhooks.ts'

test('the receiver in the documentation takes genuine events and nothing else', async () => {
  const { endpoint, send, delivery } = await webhookWorld()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/hooks/posthouse`
  const hook = await endpoint(url)
  const printed = await startExample(port, hook.secret)
  const email = await send('delivered')
  await delivery(hook, 'it is acknowledged', ({ status }) => status === 'delivered')
  await eventually('it is understood', () => printed().includes(`email.delivered ${email}`))

  const listener = await startReceiver()
  await endpoint(listener.url)
  await send('delivered')
  const { raw, headers } = await eventually('another one to copy', () => listener.heard[0])
  const post = async (body: Buffer, signature: string | undefined) =>
    (
      await fetch(url, {
        method: 'POST',
        body: new Uint8Array(body),
        headers: signature === undefined ? {} : { 'x-service-signature': signature },
      })
    ).status
  // Of another endpoint, of another length, of another body, none.
  const signature = headers['x-service-signature']
  expect(await post(raw, signature)).toBe(401)
  expect(await post(raw, 'sha256=')).toBe(401)
  expect(await post(raw, undefined)).toBe(401)
  expect(await post(Buffer.concat([raw, Buffer.from(' ')]), signature)).toBe(401)
})

/** Runs the block of JavaScript as it stands in the text; answers what it has printed. */
async function startExample(port: number, secret: string): Promise<() => string> {
  const text = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  const code = /```js\n([^]*?)```/.exec(text)?.[1]
  if (code === undefined) throw new Error('the example is gone')
  const printed = startProgram(code, 'receiver.mjs', { PORT: String(port), POSTHOUSE_WEBHOOK_SECRET: secret })
  await eventually('the example listens', async () => (await fetch(`http://127.0.0.1:${port}`)).status === 401)
  return printed
}
