import { useSyncExternalStore } from 'react'

/** A call that the page made, as far as it can be repeated. */
export interface MadeRequest {
  method: string
  /** With the query, from `/api/v1` on. */
  path: string
  project: string | undefined
  body: string | undefined
}

/** The page that made a call stands beside it. */
type Remembered = MadeRequest & { page: string }

const MAX_REMEMBERED = 40

let requests: readonly Remembered[] = []
const watchers = new Set<() => void>()

/** A `fetch` that remembers what it was asked for. What is beside the API (signing in, confirming) is not remembered. */
export const watchingFetch: typeof globalThis.fetch = (input, init) => {
  const address = new URL(input instanceof Request ? input.url : String(input), globalThis.location.origin)
  if (address.pathname.startsWith('/api/')) {
    const headers = new Headers(init?.headers)
    remember({
      page: globalThis.location.pathname,
      method: init?.method ?? 'GET',
      path: address.pathname + address.search,
      project: headers.get('x-service-project-id') ?? undefined,
      body: typeof init?.body === 'string' ? init.body : undefined,
    })
  }
  return globalThis.fetch(input, init)
}

/** With the first call of another page, those of the last one are forgotten. */
function remember(request: Remembered): void {
  const isSame = (other: Remembered): boolean =>
    other.method === request.method &&
    other.path === request.path &&
    other.project === request.project &&
    other.body === request.body
  const others = requests.filter((other) => other.page === request.page && !isSame(other))
  requests = [...others, request].slice(-MAX_REMEMBERED)
  for (const watcher of watchers) watcher()
}

/** The calls of one page, by its path. */
export const useRequests = (path: string): readonly MadeRequest[] =>
  useSyncExternalStore(watch, () => requests).filter(({ page }) => page === path)

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** A command for a shell that makes the same call with an API key. */
export function asCurl({ method, path, project, body }: MadeRequest, origin: string): string {
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(origin + path)}`,
    `-H "Authorization: Bearer $POSTHOUSE_KEY"`,
    ...(project === undefined ? [] : [`-H ${quoted(`X-Service-Project-ID: ${project}`)}`]),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
  ]
  return parts.join(' \\\n  ')
}

/** POSIX: within single quotes everything but a single quote is itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
