import type { Credential } from '@posthouse/sdk'
import { useEffect, useRef } from 'react'
import { askPasskey, canFillInPasskeys, dropQuestion } from '../../kit/passkeys.ts'
import { passkeyOptions } from './data.ts'

/** A question is good for five minutes; then the browser is asked a new one. */
const ASK_AGAIN_MS = 240_000

/**
 * Offers passkeys among what the browser fills into the field of the address. Where it cannot, the page stays as it is. The
 * question ends while `isOff`, because a browser answers one at a time.
 */
export function useAutofill(isOff: boolean, onChosen: (credential: Credential) => void): void {
  const chosen = useRef(onChosen)
  useEffect(() => {
    chosen.current = onChosen
  })
  useEffect(() => {
    if (isOff) return
    let isOver = false
    const ask = async (): Promise<void> => {
      const options = await passkeyOptions()
      if (isOver) return
      const credential = await askPasskey(options, 'autofill')
      if (!isOver) chosen.current(credential)
    }
    const begin = async (): Promise<void> => {
      // What fails here takes nothing away from the page: its button and its password are still there.
      if (!isOver && (await canFillInPasskeys())) await ask().catch(() => undefined)
    }
    void begin()
    const timer = setInterval(() => void begin(), ASK_AGAIN_MS)
    return () => {
      isOver = true
      clearInterval(timer)
      void dropQuestion()
    }
  }, [isOff])
}
