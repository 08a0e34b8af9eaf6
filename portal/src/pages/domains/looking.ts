import { useEffect, useRef, useState } from 'react'
import { mayPass } from '../../kit/problem.ts'
import { toast } from '../../kit/toast.tsx'
import { words } from '../../words/words.ts'
import { useLook } from './data.ts'
import { missingOf, type Domain } from './records.ts'

const EVERY_MS = 10_000
/** After a refusal, which another look will hardly change. */
const AFTER_REFUSAL_MS = 60_000

export interface Looking {
  /** Looks now, also where nothing is missing. */
  look: () => void
  isBusy: boolean
  /** When the page looks next by itself; undefined when it does not. */
  nextAt: string | undefined
  /** What the API refused; an outage is told elsewhere. */
  refusal: unknown
}

/** While the page is open and something is missing, it looks every ten seconds, and says when the domain is verified. */
export function useLooking(project: string, id: string, domain: Domain | undefined, mayChange: boolean): Looking {
  const ask = useLook(project, id, mayChange)
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<unknown>()
  const [nextAt, setNextAt] = useState<number>()
  const isUnderWay = useRef(false)
  const isMissing = domain !== undefined && missingOf(domain).length > 0
  const status = domain?.status

  const look = async (isAsked: boolean): Promise<void> => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setBusy(isAsked)
    let pause = EVERY_MS
    try {
      const found = await ask()
      setRefusal(undefined)
      if (found.status === 'verified' && status !== 'verified') toast({ text: words.domains.turned(found.name) })
    } catch (error) {
      if (isAsked || !mayPass(error)) setRefusal(error)
      pause = AFTER_REFUSAL_MS
    }
    isUnderWay.current = false
    setBusy(false)
    setNextAt(Date.now() + pause)
  }

  useEffect(() => {
    if (!isMissing) return
    const timer = setTimeout(
      () => {
        if (document.hidden) setNextAt(Date.now() + EVERY_MS)
        else void look(false)
      },
      nextAt === undefined ? 0 : Math.max(0, nextAt - Date.now()),
    )
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isMissing, nextAt])

  return {
    look: () => void look(true),
    isBusy,
    nextAt: isMissing && nextAt !== undefined ? new Date(nextAt).toISOString() : undefined,
    refusal,
  }
}
