const doors = new Set(['/sign-in', '/setup', '/invitation', '/recover'])

/** Where somebody who has signed in goes: the page that they came for, if it is one of ours. */
export function nextPath(query: string): string {
  const next = new URLSearchParams(query).get('next') ?? '/'
  const url = /^\/(?![/\\])/.test(next) ? URL.parse(next, location.origin) : null
  if (url === null || url.origin !== location.origin || doors.has(url.pathname)) return '/'
  return url.pathname + url.search
}
