/** The addresses of the list that one came from, in its order. */
let trail: readonly string[] = []

export function rememberTrail(addresses: readonly string[]): void {
  trail = addresses
}

/** The address before or after this one in that list; undefined at its ends, and for what is not in it. */
export function neighbour(path: string, by: 1 | -1): string | undefined {
  const place = trail.indexOf(path)
  return place === -1 ? undefined : trail[place + by]
}
