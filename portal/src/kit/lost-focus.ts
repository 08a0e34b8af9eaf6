import { useEffect } from 'react'

/** A dialog that closes gives the focus back within this time. */
const SETTLED_MS = 100

const stops = 'a[href], button, input:not([type="hidden"]), select, textarea, [tabindex="0"]'

/**
 * The element with the focus may be removed: a row, or a button that gave way to another. The focus then goes to the nearest
 * control; otherwise a person who uses the keyboard would begin at the top of the page, and a screen reader would fall silent.
 */
export function useLostFocus(): void {
  useEffect(() => {
    /** What had the focus last, and what is around it from the inside out. */
    let last: readonly Element[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const note = ({ target }: FocusEvent): void => {
      last = target instanceof Element ? around(target) : []
    }
    const look = (): void => {
      if (!isLost(last)) return
      nearest(last)?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(() => {
      if (!isLost(last)) return
      clearTimeout(timer)
      timer = setTimeout(look, SETTLED_MS)
    })
    document.addEventListener('focusin', note)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', note)
      observer.disconnect()
      clearTimeout(timer)
    }
  }, [])
}

function around(element: Element): Element[] {
  const found: Element[] = []
  for (let one: Element | null = element; one !== null; one = one.parentElement) found.push(one)
  return found
}

const isLost = ([focused]: readonly Element[]): boolean =>
  document.activeElement === document.body && focused !== undefined && !focused.isConnected

/** The first stop within the innermost part that is still there; the heading of the page where that is all of it. */
function nearest(last: readonly Element[]): HTMLElement | undefined {
  const heading = document.querySelector('h1')
  for (const part of last.filter(({ isConnected }) => isConnected)) {
    if (heading !== null && part.contains(heading)) return heading
    const stop = [...part.querySelectorAll<HTMLElement>(stops)].find((one) => one.checkVisibility())
    if (stop !== undefined) return stop
  }
  return undefined
}
