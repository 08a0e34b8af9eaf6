/** What a call was answered with when it was not done, in the words of the API. */
export interface Problem {
  /** The sentence for a person. */
  error: string
  /** For programs; undefined when no answer came at all. */
  code: string | undefined
  status: number | undefined
  requestId: string | undefined
  details: readonly { path: string; message: string }[]
  /** The other fields of the answer, such as `requiredScope`. */
  extra: Readonly<Record<string, unknown>>
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
