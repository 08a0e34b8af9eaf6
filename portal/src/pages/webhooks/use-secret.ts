import { useEffect, useState } from 'react'
import { freshSecret, fetchSecret, rotateSecret } from './data.ts'

/** What is known of the secret of one endpoint, on one visit of its page. */
export interface KnownSecret {
  /** What is shown now. It goes after a minute, and with the page. */
  shown: Shown | undefined
  show: () => Promise<void>
  hide: () => void
  rotate: () => Promise<void>
  /** The secret for a computation, without showing it. */
  forCheck: () => Promise<{ secret: string; since: string; earlier: readonly string[] }>
}

export interface Shown {
  secret: string
  /** The one before it, if it was changed just now. */
  earlier: string | undefined
  since: string | undefined
  /** Until when earlier ones sign, too. */
  validUntil: string | undefined
  /** When it disappears. */
  until: number
}

const SHOWN_MS = 60_000

export function useSecret(project: string, id: string): KnownSecret {
  const [shown, setShown] = useState<Shown | undefined>(() => justAdded(id))
  const [earlier, setEarlier] = useState<readonly string[]>([])
  const put = (next: Omit<Shown, 'until'>): void => setShown({ ...next, until: Date.now() + SHOWN_MS })

  useEffect(() => {
    if (shown === undefined) return
    const timer = setTimeout(setShown, shown.until - Date.now(), undefined)
    return () => clearTimeout(timer)
  }, [shown])

  return {
    shown,
    hide: () => setShown(undefined),
    show: async () => {
      const { secret, since, previous } = await fetchSecret(project, id)
      put({ secret, since, earlier: undefined, validUntil: previous[0]?.validUntil })
    },
    rotate: async () => {
      const rotated = await rotateSecret(project, id)
      setEarlier((before) => [rotated.earlier, ...before])
      put({ ...rotated, since: undefined, validUntil: undefined })
    },
    forCheck: async () => {
      const { secret, since } = await fetchSecret(project, id)
      return { secret, since, earlier }
    },
  }
}

/** The answer to adding an endpoint holds its secret already. */
function justAdded(id: string): Shown | undefined {
  const secret = freshSecret(id)
  if (secret === undefined) return undefined
  return { secret, earlier: undefined, since: undefined, validUntil: undefined, until: Date.now() + SHOWN_MS }
}
