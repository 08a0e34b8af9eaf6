import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostileValue, visibleValue } from '../mail/hostile.ts'
import { headerOf, readMessage, readText, wireFaults } from '../mail/reading.ts'
import type { Client } from '../support/client.ts'
import { mailWorld } from '../support/mail-world.ts'
import { seedFor } from '../support/seed.ts'
import { created } from '../support/world.ts'

/** Eight values at least in each, so ten thousand in all. */
const MESSAGES = 1_250
/** Of those, how many go all the way. */
const SENT = 300
const AT_ONCE = 8

const wishes = fc.record({
  from: hostileValue,
  to: hostileValue,
  replyTo: hostileValue,
  subject: hostileValue,
  /** Whether the subject is a template's, and the value a variable in it. */
  isMerged: fc.boolean(),
  headers: fc.dictionary(
    fc.oneof(fc.constantFrom('X-A', 'X-B', 'x-c', 'Bcc', 'X-A\r\nBcc', 'Content-Type'), hostileValue),
    hostileValue,
    { maxKeys: 3 },
  ),
  filename: hostileValue,
  contentType: fc.oneof(
    hostileValue,
    fc.tuple(visibleValue, visibleValue).map(([name, text]) => `text/x; ${name}="${text}"`),
    visibleValue.map((text) => `text/x; name="${text}"`),
  ),
  contentId: fc.oneof(hostileValue, visibleValue),
  inReplyTo: fc.oneof(
    hostileValue,
    visibleValue.map((id) => `${id}@x`),
  ),
})

type Wish = typeof wishes extends fc.Arbitrary<infer T> ? T : never
type Granted = Partial<Wish>

test('whatever a client puts into a header is refused by name, or arrives as the value of that header and nothing else', async () => {
  const { projectApi, sink, becomes } = await mailWorld()
  const template = { name: 'merged', alias: 'merged', subject: '{{ word }}', text: 'Hello.' }
  created(await projectApi.post('templates', template))
  const sample = fc.sample(wishes, { numRuns: MESSAGES, seed: seedFor('injection through the API') })
  const granted = new Map<string, { wish: Granted; subject: string }>()
  const ids: string[] = []
  await inTurns([...sample.entries()], async ([i, wish]) => {
    const to = `n${i}@sink.test`
    const { left, subject } = await whatIsGranted(projectApi, to, wish)
    if (i >= SENT) return
    granted.set(to, { wish: left, subject })
    const { status, body, text } = await projectApi.post<{ id: string }>('email/send', bodyOf(to, left))
    expect([status, text]).toEqual([202, expect.any(String)])
    ids.push(body.id)
  })
  await inTurns(ids, async (id) => void (await becomes(id, 'delivered')))
  expect(sink.taken).toHaveLength(SENT)
  for (const { to, raw } of sink.taken) {
    const { wish, subject } = granted.get(to)!
    expect(wireFaults(raw)).toEqual([])
    expectExactly(raw, to, wish, subject)
  }
  const reached = (field: keyof Wish) => [...granted.values()].filter(({ wish }) => wish[field] !== undefined).length
  for (const field of Object.keys(sample[0]!) as (keyof Wish)[])
    expect(reached(field), field).toBeGreaterThan(SENT / 10)
})

/** Leaves out what a refusal names, and nothing else; what is left has to be accepted. */
async function whatIsGranted(client: Client, to: string, wish: Wish): Promise<{ left: Granted; subject: string }> {
  let left: Granted = wish
  for (;;) {
    const { status, body, text } = await client.post<DryRun>('email/send?dryRun=true', bodyOf(to, left))
    if (status === 200) return { left, subject: body.subject }
    expect([status, body.code, text]).toEqual([400, 'validation_error', text])
    const before = JSON.stringify(left)
    for (const { path } of body.details) left = without(left, path)
    if (JSON.stringify(left) === before) throw new Error(`refused for something else: ${text}`)
  }
}

interface DryRun {
  subject: string
  code: string
  details: { path: string; message: string }[]
}

function without(wish: Granted, path: string): Granted {
  const [, field, name] = /^\/(\w+)(?:\/(.*))?$/s.exec(path) ?? []
  if (field === 'headers' && name !== undefined && wish.headers) {
    return { ...wish, headers: Object.fromEntries(Object.entries(wish.headers).filter(([key]) => key !== name)) }
  }
  if (field === 'attachments') return { ...wish, [name?.split('/')[1] ?? '']: undefined }
  return { ...wish, [field === 'variables' ? 'subject' : (field ?? '')]: undefined }
}

const named = (name: string | undefined, email: string): string =>
  name === undefined ? email : `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}" <${email}>`

function bodyOf(to: string, { isMerged, subject, headers, inReplyTo, ...wish }: Granted): Record<string, unknown> {
  const { filename = 'f', contentType, contentId } = wish
  return {
    from: named(wish.from, 'hello@posts.example'),
    to: named(wish.to, to),
    replyTo: named(wish.replyTo, 'desk@posts.example'),
    ...(isMerged
      ? { templateId: 'merged', variables: { word: `x${subject ?? ''}` } }
      : { subject: subject ?? 's', text: 't' }),
    headers: headers ?? {},
    attachments: [{ filename, contentType, contentId, content: Buffer.from('bytes').toString('base64') }],
    inReplyTo,
  }
}

function expectExactly(raw: Buffer, to: string, wish: Granted, subject: string): void {
  const { headers, parts } = readMessage(raw)
  const { headers: custom = {}, inReplyTo } = wish
  const hasReferences = Object.keys(custom).some((name) => name.toLowerCase() === 'references')
  const expected = [
    ...'DKIM-Signature From To Reply-To Subject Date Message-ID Feedback-ID CFBL-Address CFBL-Feedback-ID'.split(' '),
    ...'MIME-Version Content-Type'.split(' '),
    ...(inReplyTo === undefined ? [] : ['In-Reply-To', ...(hasReferences ? [] : ['References'])]),
    ...Object.keys(custom),
  ]
  expect(headers.map(({ name }) => name).toSorted()).toEqual(expected.toSorted())
  expect(readText(headerOf(headers, 'Subject')!)).toBe(subject)
  // What ends a line becomes a space where a template is filled in: nobody is there to correct it.
  if (wish.isMerged) expect(withoutSpaces(subject)).toBe(withoutSpaces(`x${wish.subject ?? ''}`))
  else expect(subject).toBe(wish.subject ?? 's')
  expect(nameIn(headerOf(headers, 'From')!, 'hello@posts.example')).toBe(tidy(wish.from))
  expect(nameIn(headerOf(headers, 'To')!, to)).toBe(tidy(wish.to))
  expect(nameIn(headerOf(headers, 'Reply-To')!, 'desk@posts.example')).toBe(tidy(wish.replyTo))
  if (inReplyTo !== undefined) expect(headerOf(headers, 'In-Reply-To')).toBe(`<${inReplyTo.replace(/^<(.*)>$/, '$1')}>`)
  for (const [name, text] of Object.entries(custom)) {
    expect(readText(headerOf(headers, name)!)).toBe(text.replaceAll(/^ +| +$/g, ''))
  }
  expect(parts).toHaveLength(2)
  const [, file] = parts
  expect(file).toMatchObject({ filename: wish.filename ?? 'f', content: Buffer.from('bytes') })
  expect(file!.contentId).toBe(wish.contentId?.replace(/^<(.*)>$/, '$1'))
}

const withoutSpaces = (text: string): string => text.replaceAll(/[\p{Cc}\p{Z}]/gu, '')

const tidy = (name = ''): string => name.replaceAll(/ +/g, ' ').replaceAll(/^ | $/g, '')

function nameIn(field: string, email: string): string {
  if (field === email) return ''
  expect(field.endsWith(` <${email}>`)).toBe(true)
  const phrase = field.slice(0, -` <${email}>`.length)
  return phrase.startsWith('"') ? phrase.slice(1, -1).replaceAll(/\\(.)/g, '$1') : readText(phrase)
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
