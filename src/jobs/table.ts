export const TABLE = 'jobs'

/** Jobs have one lane: none comes before another. */
export const LANE = 0

/** What dispatch shares its slots out among: kinds take turns, and so do the queues of one kind. */
export const destinationOf = ({ name }: { name: string }, queue?: string): string =>
  queue === undefined ? name : `${name}:${queue}`

/** The inverse. */
export const partsOf = (destination: string): { kind: string; queue: string | undefined } => {
  const [kind = '', queue] = destination.split(':', 2)
  return { kind, queue }
}
