/**
 * Takes the token of a link out of the address, so that it stays neither in the history nor on the screen. From then on only
 * this page's memory holds it.
 */
export function takeToken(): string | undefined {
  const fragment = location.hash.slice(1)
  if (fragment === '') return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return fragment
}

/** What was pasted may be a whole link, its token, or the secret that the operator has set. */
export function proofIn(pasted: string): { token: string } | { secret: string } {
  const [, token] = /(?:^|#)(ps_[\w-]+)$/.exec(pasted.trim()) ?? []
  return token === undefined ? { secret: pasted.trim() } : { token }
}
