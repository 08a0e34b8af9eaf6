import type { Credential } from '@posthouse/sdk'
import { useEffect, useRef, useState } from 'react'
import { askPasskey, canFillInPasskeys, dropQuestion } from '../../kit/passkeys.ts'
import { passkeyOptions } from './data.ts'

/** A question is good for five minutes; then the browser is asked a new one. */
const ASK_AGAIN_MS = 240_000

/**
 * Offers passkeys among what the browser fills into the field of the address, from the moment on at which somebody moves the
 * pointer or turns to that field. Where the browser cannot do that, the page stays as it is.
 */
export function useAutofill(isOn: boolean, onChosen: (credential: Credential) => void): void {
  const chosen = useRef(onChosen)
  const isSomebodyThere = useSignOfLife()
  useEffect(() => {
    chosen.current = onChosen
  })
  useEffect(() => {
    if (!isOn || !isSomebodyThere) return
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
  }, [isOn, isSomebodyThere])
}

function useSignOfLife(): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const see = (): void => setSeen(true)
    const seeAtField = ({ target }: Event): void => {
      if (target instanceof Element && target.matches('[autocomplete$="webauthn"]')) see()
    }
    document.addEventListener('pointermove', see, { passive: true })
    document.addEventListener('pointerdown', seeAtField)
    document.addEventListener('keydown', seeAtField)
    return () => {
      document.removeEventListener('pointermove', see)
      document.removeEventListener('pointerdown', seeAtField)
      document.removeEventListener('keydown', seeAtField)
    }
  }, [])
  return isSeen
}
