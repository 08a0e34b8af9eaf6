/**
 * Reads STOP, HELP and START in any spelling, and says what we answer. In doubt it reads an opt-out: one message too
 * few annoys less than one too many.
 */

export type KeywordReading =
  /** `inferred` means that the word is not in the list, but means the same. */
  { keyword: 'STOP'; inferred: boolean } | { keyword: 'START' | 'HELP' } | { keyword: undefined }

/** Words of a program, in addition to those that every sender must honour. */
export interface ExtraKeywords {
  optIn?: readonly string[] | undefined
  optOut?: readonly string[] | undefined
  help?: readonly string[] | undefined
}

/**
 * With `mayAgree` the sender is suppressed or was asked to confirm, so that YES is an answer to that. Otherwise it is
 * an ordinary word.
 */
export function readKeyword(
  text: string,
  { mayAgree, extra = {} }: { mayAgree: boolean; extra?: ExtraKeywords },
): KeywordReading {
  const said = normalized(text)
  const says = (words: ReadonlySet<string>, more: readonly string[] = []): boolean =>
    words.has(said) || more.some((word) => normalized(word) === said && said !== '')
  // The order matters where a program lists a word that is a standard keyword with another meaning.
  if (stopWords.has(said)) return { keyword: 'STOP', inferred: false }
  if (says(startWords) || (mayAgree && said === 'YES')) return { keyword: 'START' }
  if (says(helpWords)) return { keyword: 'HELP' }
  if (says(none, extra.optOut)) return { keyword: 'STOP', inferred: false }
  if (says(none, extra.optIn)) return { keyword: 'START' }
  if (says(none, extra.help)) return { keyword: 'HELP' }
  return meansStop(said) ? { keyword: 'STOP', inferred: true } : { keyword: undefined }
}

/** Reads a message of several parts: the whole of it and its first part, which may be a keyword alone. */
export function readKeywordOfParts(
  whole: string,
  firstPart: string,
  options: { mayAgree: boolean; extra?: ExtraKeywords },
): KeywordReading {
  const reading = readKeyword(whole, options)
  return reading.keyword === undefined ? readKeyword(firstPart, options) : reading
}

const none: ReadonlySet<string> = new Set()

/** The words by which consent is revoked per se (47 CFR 64.1200(a)(10)), what carriers add, and French. */
const stopWords: ReadonlySet<string> = new Set([
  'STOP',
  'STOPALL',
  'STOP ALL',
  'UNSUBSCRIBE',
  'CANCEL',
  'END',
  'QUIT',
  'REVOKE',
  'OPTOUT',
  'OPT OUT',
  'OPT-OUT',
  'REMOVE',
  'ARRET',
  'ARRÊT',
])
const startWords: ReadonlySet<string> = new Set(['START', 'UNSTOP'])
const helpWords: ReadonlySet<string> = new Set(['HELP', 'INFO', 'AIDE'])

/**
 * Full-width letters become ordinary ones, what cannot be seen goes, and so does what surrounds the words. Upper case
 * without a locale: in a Turkish one `i` would become `İ`.
 */
function normalized(text: string): string {
  return text
    .slice(0, MAX_READ_LENGTH)
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\ufe00-\ufe0f]/gu, '')
    .replaceAll(/\p{Pd}/gu, '-')
    .replaceAll('’', "'")
    .replaceAll(/\s+/gu, ' ')
    .replace(/^[\p{P}\p{S}\p{Extended_Pictographic} ]+/u, '')
    .replace(/[\p{P}\p{S}\p{Extended_Pictographic} ]+$/u, '')
    .normalize('NFC')
    .toUpperCase()
}

/** A message has at most ten parts of text. */
const MAX_READ_LENGTH = 1600

/** "Any reasonable means" (47 CFR 64.1200(a)(10)). "Stop by tomorrow" is read as an opt-out too; that is accepted. */
function meansStop(said: string): boolean {
  const words = said
    .split(' ')
    .map((word) => word.replaceAll(/^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu, ''))
    .filter((word) => word !== '')
  const [first = '', second = ''] = words
  if (words.length <= 5 && (first === 'STOP' || first === 'UNSUBSCRIBE')) return true
  if (words.length === 2 && ['PLEASE', 'PLS', 'JUST'].includes(first) && second === 'STOP') return true
  const plain = ` ${words
    .join(' ')
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')} `
  return phrases.some((phrase) => plain.includes(` ${phrase} `))
}

/** A phrase may stand anywhere in a text; the comparison ignores accents. */
const phrases: readonly string[] = [
  'STOP TEXTING',
  'REMOVE ME',
  'TAKE ME OFF',
  "DON'T TEXT",
  'DONT TEXT',
  'DO NOT TEXT',
  'WRONG NUMBER',
  'NO MAS',
]

export interface ProgramTexts {
  brand: string
  optInMessage?: string | undefined
  optOutMessage?: string | undefined
  helpMessage?: string | undefined
}

export interface ReplySituation {
  now: Date
  receivedAt: Date
  /** The last time that this phone got the same kind of answer from us. */
  lastHelpAt?: Date | undefined
  /** The number was suppressed before this message. */
  wasSuppressed: boolean
  /** The network or the provider answers by itself, as for toll-free numbers in the United States. */
  answeredByCarrier: boolean
}

const CONFIRM_WITHIN_MS = 5 * 60_000
const HELP_EVERY_MS = 5 * 60_000

/**
 * Returns the one answer that is due, if any. A confirmation of STOP is the last message to a number, and only within
 * five minutes (47 CFR 64.1200(a)(12)).
 */
export function replyTo(
  { keyword }: KeywordReading,
  { brand, optInMessage, optOutMessage, helpMessage }: ProgramTexts,
  { now, receivedAt, lastHelpAt, wasSuppressed, answeredByCarrier }: ReplySituation,
): string | undefined {
  if (keyword === undefined || answeredByCarrier) return undefined
  if (keyword === 'HELP') {
    const isSoon = lastHelpAt !== undefined && now.getTime() - lastHelpAt.getTime() < HELP_EVERY_MS
    return isSoon ? undefined : (helpMessage ?? `${brand}: reply STOP to get no more messages.`)
  }
  if (now.getTime() - receivedAt.getTime() > CONFIRM_WITHIN_MS) return undefined
  if (keyword === 'STOP') {
    if (wasSuppressed) return undefined
    return optOutMessage ?? `${brand}: you are unsubscribed and will get no more messages. Reply START to return.`
  }
  if (!wasSuppressed) return undefined
  return optInMessage ?? `${brand}: you will get messages again. Reply HELP for help, STOP to end.`
}
