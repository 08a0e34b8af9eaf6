import type { Credential } from '@posthouse/sdk'
import { useEffect, useRef, useState } from 'react'
import { askPasskey, canFillInPasskeys, dropQuestion } from '../../kit/passkeys.ts'
import { passkeyOptions } from './data.ts'

/** A question is good for five minutes; then the browser is asked a new one. */
const ASK_AGAIN_MS = 240_000

const signsOfLife = ['pointermove', 'pointerdown', 'keydown'] as const

/**
 * Offers passkeys among what the browser fills into the field of the address, from the moment on at which somebody moves or
 * types. Where the browser cannot do that, the page stays as it is. The question ends while `isOff`: a browser answers one at
 * a time.
 */
export function useAutofill(isOff: boolean, onChosen: (credential: Credential) => void): void {
  const chosen = useRef(onChosen)
  const isSomebodyThere = useSignOfLife()
  useEffect(() => {
    chosen.current = onChosen
  })
  useEffect(() => {
    if (isOff || !isSomebodyThere) return
    let isOver = false
    const ask = async (): Promise<void> => {
      if (isOver || !(await canFillInPasskeys())) return
      const options = await passkeyOptions()
      if (isOver) return
      const credential = await askPasskey(options, 'autofill')
      if (!isOver) chosen.current(credential)
    }
    // What fails here takes nothing away from the page: its button and its password are still there.
    const begin = (): void => void ask().catch(() => undefined)
    begin()
    const timer = setInterval(begin, ASK_AGAIN_MS)
    return () => {
      isOver = true
      clearInterval(timer)
      void dropQuestion()
    }
  }, [isOff, isSomebodyThere])
}

function useSignOfLife(): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const see = (): void => setSeen(true)
    for (const sign of signsOfLife) document.addEventListener(sign, see, { once: true, passive: true })
    return () => {
      for (const sign of signsOfLife) document.removeEventListener(sign, see)
    }
  }, [])
  return isSeen
}
