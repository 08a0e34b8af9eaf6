/**
 * Finds out why a receiver and the server do not agree about a signature. The request is looked at first: whether it is
 * genuine as it was pasted, or would be with another body or an earlier secret. Then what the receiver's code computed is
 * compared with everything that the usual mistakes would make of it.
 */
import {
  base64Of,
  bytesOf,
  decoded,
  headersIn,
  hexOf,
  hmac,
  messageOf,
  SECRET_PREFIX,
  sha256,
  signatureHeader,
  signatureOf,
  withoutPrefix,
  type Form,
  type Signed,
} from './signature.ts'

export interface Question {
  body: string
  /** The headers as they were pasted. */
  headers: string
  /** What the receiver's own code computed; empty if it does not say. */
  computed: string
  /** The secret as the receiver's code has it; empty if it does not say. */
  used: string
  /** The secret in force, and since when. */
  secret: string
  since: string
  /** Secrets from before, as far as this page has seen them. */
  earlier: readonly string[]
  now: number
}

export type Request =
  | { kind: 'no_signature' | 'no_parts' | 'not_genuine' | 'earlier_secret' | 'other_header' }
  | { kind: 'genuine' | 'line_break' | 'body_rewritten'; form: Form }

export type Mistake =
  | 'body_rewritten'
  | 'line_break'
  | 'key_without_prefix'
  | 'key_decoded'
  | 'key_not_decoded'
  | 'key_with_space'
  | 'key_earlier'
  | 'other_content'
  | 'hex_not_base64'
  | 'base64_not_hex'
  | 'no_key'
  | 'prefix_left_out'

export interface Diagnosis {
  request: Request
  /** How old the request is, where that is more than receivers should accept. */
  oldSeconds: number | undefined
  /** What the code got wrong: nothing wrong is an empty list, undefined is nothing to compare, and null nothing that we know. */
  mistakes: readonly Mistake[] | null | undefined
  form: Form
  /** What is wrong with the secret that the code has. */
  used: 'right' | 'without_prefix' | 'with_space' | 'earlier' | 'other' | undefined
}

/** The tolerance of the libraries of Standard Webhooks. */
const MAX_AGE_SECONDS = 300

export async function diagnose(question: Question): Promise<Diagnosis> {
  const headers = headersIn(question.headers)
  const signed: Signed = {
    body: question.body,
    id: headers.get('webhook-id') ?? '',
    timestamp: headers.get('webhook-timestamp') ?? '',
  }
  const request = await judge(question, headers, signed)
  const form = 'form' in request ? request.form : headers.has(signatureHeader.plain) ? 'plain' : 'standard'
  const found = question.computed.trim() === '' ? undefined : await explain(question, signed, form)
  return {
    request,
    oldSeconds: ageOf(signed.timestamp, question.now),
    mistakes: found === undefined ? undefined : (found?.mistakes ?? null),
    form: found?.form ?? form,
    used: judgeSecret(question),
  }
}

function ageOf(timestamp: string, now: number): number | undefined {
  const age = Math.round(now / 1_000 - Number(timestamp))
  return timestamp !== '' && age > MAX_AGE_SECONDS ? age : undefined
}

async function judge(question: Question, headers: ReadonlyMap<string, string>, signed: Signed): Promise<Request> {
  const forms = (['plain', 'standard'] as const).filter((form) => headers.has(signatureHeader[form]))
  if (forms.length === 0) return { kind: 'no_signature' }
  for (const form of forms) {
    const given = headers.get(signatureHeader[form]) ?? ''
    const isSigned = async (secret: string, body: string): Promise<boolean> =>
      given.split(/\s+/).includes((await signatureOf(form, secret, { ...signed, body })) ?? '')
    if (await isSigned(question.secret, signed.body)) return { kind: 'genuine', form }
    for (const { body, mistake } of bodiesOf(signed.body)) {
      if (await isSigned(question.secret, body)) return { kind: mistake, form }
    }
    for (const secret of question.earlier) {
      for (const body of [signed.body, ...bodiesOf(signed.body).map((variant) => variant.body)]) {
        if (await isSigned(secret, body)) return { kind: 'earlier_secret' }
      }
    }
  }
  if (forms.every((form) => isOfOtherForm(form, headers.get(signatureHeader[form]) ?? '')))
    return { kind: 'other_header' }
  if (!forms.includes('plain') && (signed.id === '' || signed.timestamp === '')) return { kind: 'no_parts' }
  if (signed.timestamp !== '' && Number(signed.timestamp) * 1_000 < Date.parse(question.since))
    return { kind: 'earlier_secret' }
  return { kind: 'not_genuine' }
}

const isOfOtherForm = (form: Form, given: string): boolean =>
  form === 'plain' ? given.startsWith('v1,') : /^(sha256=)?[0-9a-f]{64}$/i.test(given)

/** What the body was before something rewrote it: the server writes JSON without spaces, and no line break behind it. */
function bodiesOf(body: string): { body: string; mistake: 'line_break' | 'body_rewritten' }[] {
  const trimmed = body.trim()
  const rewritten = writtenAgain(body)
  return [
    ...(trimmed === body ? [] : [{ body: trimmed, mistake: 'line_break' as const }]),
    ...(rewritten === undefined || rewritten === trimmed
      ? []
      : [{ body: rewritten, mistake: 'body_rewritten' as const }]),
  ]
}

function writtenAgain(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body))
  } catch {
    return undefined
  }
}

interface Variant<T> {
  value: T
  mistakes: readonly Mistake[]
}

/** The fewest mistakes that together make what the code computed. */
async function explain(question: Question, signed: Signed, likely: Form) {
  const computed = question.computed.trim().replace(/^["']|["',;]+$/g, '')
  const forms = [likely, likely === 'plain' ? 'standard' : 'plain'] as const
  let best: { mistakes: readonly Mistake[]; form: Form } | undefined
  for (const form of forms) {
    for (const key of keysFor(form, question)) {
      for (const body of bodiesInCode(signed.body)) {
        for (const content of contentsFor(form)) {
          const mistakes = [...key.mistakes, ...body.mistakes, ...content.mistakes]
          const message = messageOf(content.value, { ...signed, body: body.value })
          const signature = key.value === undefined ? await sha256(message) : await hmac(key.value, message)
          for (const writing of writingsFor(form, signature)) {
            const all = [...mistakes, ...writing.mistakes]
            const isSame = writing.value.toLowerCase() === computed.toLowerCase()
            if (isSame && (best === undefined || all.length < best.mistakes.length)) best = { mistakes: all, form }
          }
        }
      }
    }
  }
  if (best === undefined) return null
  // Leaving the prefix out is harmless, and worth a word only where nothing else is wrong.
  const mistakes = best.mistakes.length > 1 ? best.mistakes.filter((one) => one !== 'prefix_left_out') : best.mistakes
  return { ...best, mistakes }
}

/** Undefined is no key at all. */
function keysFor(form: Form, { secret, earlier }: Question): Variant<Uint8Array<ArrayBuffer> | undefined>[] {
  const whole = bytesOf(secret)
  const inside = decoded(secret)
  const [right, wrong] = form === 'plain' ? ([whole, inside] as const) : ([inside, whole] as const)
  const earlierKeys = earlier.map((one) => (form === 'plain' ? bytesOf(one) : decoded(one)))
  return [
    { value: right, mistakes: [] },
    { value: bytesOf(withoutPrefix(secret)), mistakes: ['key_without_prefix'] },
    { value: wrong, mistakes: [form === 'plain' ? 'key_decoded' : 'key_not_decoded'] },
    ...[`${secret}\n`, `${secret} `, ` ${secret}`, `"${secret}"`].map((text) => ({
      value: bytesOf(text),
      mistakes: ['key_with_space'] as const,
    })),
    ...earlierKeys.map((value) => ({ value, mistakes: ['key_earlier'] as const })),
    { value: undefined, mistakes: ['no_key'] },
  ]
}

/** What code makes of a body that it has parsed and writes again, in the ways of the usual languages. */
function bodiesInCode(body: string): Variant<string>[] {
  const variants: Variant<string>[] = [{ value: body, mistakes: [] }]
  const add = (value: string, mistake: Mistake): void => {
    if (!variants.some((variant) => variant.value === value)) variants.push({ value, mistakes: [mistake] })
  }
  add(body.trim(), 'line_break')
  add(`${body.trim()}\n`, 'line_break')
  const parsed = writtenAgain(body)
  if (parsed === undefined) return variants
  const value: unknown = JSON.parse(parsed)
  add(parsed, 'body_rewritten')
  add(JSON.stringify(value, undefined, 2), 'body_rewritten')
  add(JSON.stringify(value, undefined, 4), 'body_rewritten')
  add(spaced(parsed), 'body_rewritten')
  add(escaped(spaced(parsed)), 'body_rewritten')
  add(escaped(parsed), 'body_rewritten')
  add(escaped(parsed).replaceAll('/', String.raw`\/`), 'body_rewritten')
  add(sorted(value), 'body_rewritten')
  return variants
}

/** Python's `json.dumps` puts a space behind commas and colons. */
const spaced = (json: string): string =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"|[,:]/g, (part) => (part === ',' || part === ':' ? `${part} ` : part))

const escaped = (json: string): string =>
  json.replaceAll(/[\u0080-\uffff]/g, (character) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`)

/** Go writes the keys of a map in their order. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  )

const contentsFor = (form: Form): Variant<Form>[] => [
  { value: form, mistakes: [] },
  { value: form === 'plain' ? 'standard' : 'plain', mistakes: ['other_content'] },
]

function writingsFor(form: Form, signature: Uint8Array<ArrayBuffer>): Variant<string>[] {
  const hex = hexOf(signature)
  const base64 = base64Of(signature)
  return form === 'plain'
    ? [
        { value: `sha256=${hex}`, mistakes: [] },
        { value: hex, mistakes: ['prefix_left_out'] },
        { value: base64, mistakes: ['base64_not_hex'] },
        { value: `sha256=${base64}`, mistakes: ['base64_not_hex'] },
      ]
    : [
        { value: `v1,${base64}`, mistakes: [] },
        { value: base64, mistakes: ['prefix_left_out'] },
        { value: hex, mistakes: ['hex_not_base64'] },
        { value: `v1,${hex}`, mistakes: ['hex_not_base64'] },
      ]
}

function judgeSecret({ used, secret, earlier }: Question): Diagnosis['used'] {
  if (used === '') return undefined
  if (used === secret) return 'right'
  const bare = used.trim().replaceAll(/^["']|["']$/g, '')
  if (bare === secret) return 'with_space'
  if (`${SECRET_PREFIX}${bare}` === secret) return 'without_prefix'
  return earlier.includes(bare) ? 'earlier' : 'other'
}
