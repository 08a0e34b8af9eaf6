import { useSyncExternalStore } from 'react'

/** A call that the page made, as far as it can be repeated. */
export interface MadeRequest {
  method: string
  /** With the query, from `/api/v1` on. */
  path: string
  project: string | undefined
  body: string | undefined
}

const MAX_REMEMBERED = 40

let requests: readonly MadeRequest[] = []
const watchers = new Set<() => void>()

/** A `fetch` that remembers what it was asked for. What is beside the API (signing in, confirming) is not remembered. */
export const watchingFetch: typeof globalThis.fetch = (input, init) => {
  const address = new URL(input instanceof Request ? input.url : String(input), globalThis.location.origin)
  if (address.pathname.startsWith('/api/')) {
    const headers = new Headers(init?.headers)
    remember({
      method: init?.method ?? 'GET',
      path: address.pathname + address.search,
      project: headers.get('x-service-project-id') ?? undefined,
      body: typeof init?.body === 'string' ? init.body : undefined,
    })
  }
  return globalThis.fetch(input, init)
}

function remember(request: MadeRequest): void {
  const isSame = (other: MadeRequest): boolean =>
    other.method === request.method &&
    other.path === request.path &&
    other.project === request.project &&
    other.body === request.body
  requests = [...requests.filter((other) => !isSame(other)), request].slice(-MAX_REMEMBERED)
  for (const watcher of watchers) watcher()
}

/** Another page begins: what the last one asked for is no part of it. */
export function forgetRequests(): void {
  requests = []
  for (const watcher of watchers) watcher()
}

export const useRequests = (): readonly MadeRequest[] => useSyncExternalStore(watch, () => requests)

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
