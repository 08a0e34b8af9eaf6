import type { ErrorCode, Problem } from './contract/index.ts'

/** What a refusal says beside the fields that all of them have, such as `requiredScope` or `limitBytes`. */
type Extra = Readonly<Record<string, unknown>>

interface RefusalParts {
  status: number
  code: ErrorCode | 'unknown'
  message: string
  requestId?: string | undefined
  details?: readonly Problem[] | undefined
  extra?: Extra
  retryAfter?: number | undefined
}

/** The server refused a call, or failed at it. Branch on `code`; `message` is a sentence for a person. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** `unknown` when the answer did not come from Posthouse, but from a proxy in front of it. */
  readonly code: ErrorCode | 'unknown'
  readonly requestId: string | undefined
  /** What is wrong with the request, field by field. */
  readonly details: readonly Problem[]
  readonly extra: Extra
  /** After so many seconds the call may be tried again. */
  readonly retryAfter: number | undefined

  constructor({ status, code, message, requestId, details = [], extra = {}, retryAfter }: RefusalParts) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.details = details
    this.extra = extra
    this.retryAfter = retryAfter
  }
}

/** There was no answer, or only the beginning of one: nobody knows whether the call was carried out. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
}

/** Reads an answer that is not a success. */
export async function refusalIn(response: Response): Promise<ApiError> {
  const { status, statusText } = response
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const retryAfter = Number.isNaN(seconds) ? undefined : seconds
  const body = parsed(await response.text().catch(() => ''))
  if (body === undefined) {
    const message = `The server answered ${status}${statusText === '' ? '' : ` (${statusText})`} without saying why.`
    const requestId = response.headers.get('x-request-id') ?? undefined
    return new ApiError({ status, code: 'unknown', message, requestId, retryAfter })
  }
  const { error, code, requestId, details, ...extra } = body
  return new ApiError({ status, code, message: error, requestId, details, extra, retryAfter })
}

interface RefusalBody {
  error: string
  code: ErrorCode
  requestId?: string
  details?: Problem[]
  [name: string]: unknown
}

function parsed(text: string): RefusalBody | undefined {
  try {
    const body = JSON.parse(text) as Partial<RefusalBody> | null
    return typeof body?.error === 'string' && typeof body.code === 'string' ? (body as RefusalBody) : undefined
  } catch {
    return undefined
  }
}
