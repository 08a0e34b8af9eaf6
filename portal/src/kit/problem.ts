import { words } from '../words/words.ts'

/** What a call was answered with when it was not done, in the words of the API. */
export interface Problem {
  /** The sentence for a person. */
  error: string
  /** For programs; undefined when no answer came at all. */
  code: string | undefined
  status: number | undefined
  requestId: string | undefined
  details: readonly Detail[]
  /** The other fields of the answer, such as `requiredScope`. */
  extra: Readonly<Record<string, unknown>>
}

/** What is wrong with one part of what was sent. */
export interface Detail {
  path: string
  /** What is said of that part, without naming it: "must not be empty". */
  message: string
}

/** The sentence below the field that it is about. */
export const sentenceAtField = ({ message }: Detail): string =>
  isPredicate(message) ? ended(words.kit.problem.ofField(message)) : ended(message)

/** The sentence where no field stands beside it, so that it names what it is about. */
export function sentenceOf({ path, message }: Detail): string {
  if (!isPredicate(message)) return ended(message)
  const name = path.split('/').slice(1).join('.')
  return ended(name === '' ? words.kit.problem.ofWhole(message) : words.kit.problem.of(name, message))
}

/** Others are sentences already, or say where in the text the mistake is. */
const isPredicate = (message: string): boolean => /^[a-z]/.test(message) && !/^line \d/.test(message)

const ended = (sentence: string): string => {
  const begun = sentence.startsWith('line ') ? `L${sentence.slice(1)}` : sentence
  return /[.?!]$/.test(begun) ? begun : `${begun}.`
}

/** Reads what was thrown. An `ApiError` of the SDK has these fields; anything else is an outage or a defect. */
export function problemOf(thrown: unknown): Problem {
  const fields = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Readonly<Record<string, unknown>>
  return {
    error: typeof fields['message'] === 'string' ? fields['message'] : String(thrown),
    code: wordIn(fields['code']),
    status: typeof fields['status'] === 'number' ? fields['status'] : undefined,
    requestId: wordIn(fields['requestId']),
    details: Array.isArray(fields['details']) ? fields['details'] : [],
    extra: (fields['extra'] ?? fields['body'] ?? {}) as Readonly<Record<string, unknown>>,
  }
}

const wordIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** No answer, or one that says that another attempt may be answered differently. */
export function mayPass(thrown: unknown): boolean {
  const { status } = problemOf(thrown)
  return status === undefined || status === 0 || status >= 500 || status === 429
}
