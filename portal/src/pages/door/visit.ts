import { useCallback, useEffect, useState } from 'react'
import { visit, type Visit } from './data.ts'

interface Asked {
  /** Undefined until the server has answered. */
  answer: Visit | undefined
  isLost: boolean
  ask: () => void
}

/**
 * Asks whether a person is signed in here, and asks again when the tab is shown again: they may have signed in in another
 * tab.
 */
export function useVisit(): Asked {
  const [answer, setAnswer] = useState<Visit>()
  const [isLost, setLost] = useState(false)
  const ask = useCallback(() => {
    setLost(false)
    visit().then(setAnswer, () => setLost(true))
  }, [])
  useEffect(() => {
    ask()
    const lookAgain = (): void => void (document.visibilityState === 'visible' && ask())
    document.addEventListener('visibilitychange', lookAgain)
    return () => document.removeEventListener('visibilitychange', lookAgain)
  }, [ask])
  return { answer, isLost, ask }
}

/** Where the installation says that it is, once that is known. */
export function publicUrlIn(answer: Visit | undefined): string | undefined {
  if (answer === undefined) return undefined
  return 'session' in answer ? answer.session.installation.publicUrl : answer.signedOut.publicUrl
}

/** Leaves this page for another one, which takes its place in the history. */
export function useLeadOn(to: string | undefined): void {
  useEffect(() => {
    if (to !== undefined) location.replace(to)
  }, [to])
}

/** The last thing that a page does: what comes after it belongs to the next page. */
export async function goOn(to: string): Promise<never> {
  location.replace(to)
  return new Promise(() => undefined)
}
