import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { expect, test } from 'vitest'
import { composeBody } from '../../src/mail/compose/body.ts'
import { parseContentType } from '../../src/mail/content-type.ts'
import { dkimRecord, importKey } from '../../src/mail/compose/dkim-key.ts'
import { signatures } from '../../src/mail/compose/dkim.ts'
import { headBytes } from '../../src/mail/headers.ts'
import { composeHeaders } from '../../src/mail/compose/message-headers.ts'
import { address, valid } from './contents.ts'
import { wireFaults } from './reading.ts'

/**
 * Whole messages, as JSON and as the bytes they become. A change of these bytes is a change for every receiver: read
 * the difference before you renew them with UPDATE_FIXTURES=1.
 */
const folder = new URL('../fixtures/mail/composed/', import.meta.url)
const names = readdirSync(folder).flatMap((name) => /^(.*)\.json$/.exec(name)?.[1] ?? [])

interface Fixture {
  from: string
  to: string[]
  cc?: string[]
  replyTo?: string[]
  subject: string
  date: string
  messageId: string
  inReplyTo?: string
  unsubscribe?: { url: string; mailto?: string }
  feedbackId?: string
  complaints?: { address: string; reference: string }
  custom?: Record<string, string>
  text?: string
  html?: string
  attachments?: {
    filename: string
    contentType: string
    base64: string
    contentId?: string
    disposition: 'attachment' | 'inline'
  }[]
}

test.each(names)('%s becomes exactly its bytes, and they verify', async (name) => {
  const fixture = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Fixture
  const message = await compose(fixture)
  if (process.env['UPDATE_FIXTURES']) writeFileSync(new URL(`${name}.eml`, folder), message)
  expect(message.toString('latin1')).toBe(readFileSync(new URL(`${name}.eml`, folder), 'latin1'))
  if (name !== 'smtputf8') expect(wireFaults(message)).toEqual([])
  const resolver = async () => [[dkimRecord(privateKey)]]
  const { results } = await dkimVerify(message, { strict: true, resolver, curTime: fixture.date })
  expect(results.map(({ status }) => status.result)).toEqual(['pass'])
})

/** The one that RFC 8463 A.2 publishes, so it is no secret. */
const seed = Buffer.from('nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=', 'base64')
const privateKey = importKey(Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]))

async function compose({ text, html, attachments = [], ...fixture }: Fixture): Promise<Buffer> {
  const files = attachments.map(({ contentType, base64, ...file }) => {
    return { ...file, contentType: valid(parseContentType(contentType)), content: Buffer.from(base64, 'base64') }
  })
  const composed = composeBody({ text, html, attachments: files }, fixture.messageId)
  const addresses = (written: string[] = []) => written.map(address)
  const date = new Date(fixture.date)
  const headers = composeHeaders(
    {
      ...fixture,
      date,
      from: address(fixture.from),
      to: addresses(fixture.to),
      cc: addresses(fixture.cc),
      replyTo: addresses(fixture.replyTo),
    },
    composed.contentHeaders,
  )
  const key = { domain: 'example.com', selector: 'brisbane', privateKey }
  const signed = await signatures({ headers, bodyHash: composed.bodyHash, at: date }, [key])
  return Buffer.concat([headBytes([...signed, ...headers]), composed.body])
}
