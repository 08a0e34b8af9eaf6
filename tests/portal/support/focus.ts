export interface FocusSeen {
  /** Whether the focus is on the element that was sought. */
  isThere: boolean
  /** Whether no element has the focus: the whole page has it then. */
  isLost: boolean
  /** Why a visitor would not see where the focus is. */
  problem: string | undefined
}

/** Runs in the page: where the focus is, and whether it can be seen there. */
export function seeFocus(sought: Element): FocusSeen {
  const focused = document.activeElement
  if (focused === null || focused === document.body) return { isThere: false, isLost: true, problem: undefined }
  const name = `${focused.tagName.toLowerCase()} “${(focused.getAttribute('aria-label') ?? focused.textContent ?? '').slice(0, 60)}”`
  return { isThere: focused === sought, isLost: false, problem: hidden() ?? ringless() }

  /** Cut away, wholly outside of the window, or below the bar that stays at its top. */
  function hidden(): string | undefined {
    for (let one: Element | null = focused; one !== null; one = one.parentElement) {
      if (getComputedStyle(one).clipPath !== 'none') return `${name} has the focus, but is cut away`
    }
    const { left, right, top, bottom } = focused!.getBoundingClientRect()
    const [from, to] = [Math.max(0, top), Math.min(innerHeight, bottom)]
    if (from >= to || right <= 0 || left >= innerWidth) return `${name} has the focus outside of the window`
    const covering = document.elementFromPoint((left + right) / 2, (from + to) / 2)?.closest('header')
    return covering && !covering.contains(focused) ? `${name} has the focus below the header` : undefined
  }

  /** A field of several parts has its ring around all of them. */
  function ringless(): string | undefined {
    for (let one = focused, steps = 0; one !== null && steps < 3; one = one.parentElement, steps++) {
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one)
      if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 && !outlineColor.endsWith(', 0)'))
        return undefined
    }
    return `${name} has the focus, but no ring around it`
  }
}
