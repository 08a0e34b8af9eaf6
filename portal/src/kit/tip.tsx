import { useEffect, useRef, useState } from 'react'
import { currentSettings } from './settings.ts'
import { Foreign } from './text.tsx'
import styles from './tip.module.css'

const DELAY_MS = 400
const DISTANCE_PX = 6

interface Shown {
  owner: HTMLElement
  text: string
  keys: string | undefined
}

/**
 * One layer shows the explanations of all elements with `data-tip`, on hover and on visible focus: a list of a thousand
 * times needs no thousand components. Escape hides it, and the pointer may move onto it (WCAG 1.4.13).
 */
export function TipLayer() {
  const box = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<Shown>()

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = (target: EventTarget | null, delay: number): void => {
      const owner = target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null
      clearTimeout(timer)
      if (owner === null) {
        if (!(target instanceof Node && box.current?.contains(target))) timer = setTimeout(setShown, 100, undefined)
        return
      }
      timer = setTimeout(() => setShown(tipOf(owner)), delay)
    }
    const hover = (event: PointerEvent): void => {
      if (event.pointerType !== 'touch') show(event.target, DELAY_MS)
    }
    const focus = (event: FocusEvent): void => {
      if (event.target instanceof Element && event.target.matches(':focus-visible')) show(event.target, 0)
    }
    const hide = (): void => {
      clearTimeout(timer)
      setShown(undefined)
    }
    const press = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') hide()
    }
    document.addEventListener('pointerover', hover)
    document.addEventListener('focusin', focus)
    document.addEventListener('focusout', hide)
    document.addEventListener('pointerdown', hide)
    document.addEventListener('keydown', press)
    addEventListener('scroll', hide, { capture: true, passive: true })
    return () => {
      clearTimeout(timer)
      document.removeEventListener('pointerover', hover)
      document.removeEventListener('focusin', focus)
      document.removeEventListener('focusout', hide)
      document.removeEventListener('pointerdown', hide)
      document.removeEventListener('keydown', press)
      removeEventListener('scroll', hide, { capture: true })
    }
  }, [])

  useEffect(() => {
    const element = box.current
    if (element === null || shown === undefined) return
    // The top layer, so that it is above dialogs without a contest of numbers.
    element.showPopover()
    place(element, shown.owner)
    shown.owner.setAttribute(
      'aria-describedby',
      [shown.owner.getAttribute('aria-describedby'), TIP_ID].filter(Boolean).join(' '),
    )
    return () => {
      element.hidePopover()
      const others = shown.owner.getAttribute('aria-describedby')?.replace(TIP_ID, '').trim() ?? ''
      if (others === '') shown.owner.removeAttribute('aria-describedby')
      else shown.owner.setAttribute('aria-describedby', others)
    }
  }, [shown])

  return (
    <div ref={box} id={TIP_ID} role="tooltip" popover="manual" className={styles.tip}>
      {shown !== undefined && <Foreign text={shown.text} />}
      {shown?.keys !== undefined && <kbd>{shown.keys}</kbd>}
    </div>
  )
}

const TIP_ID = 'tip'

/** A button whose words say everything has a tip for its key alone; without keys there is nothing to show. */
function tipOf(owner: HTMLElement): Shown | undefined {
  const text = owner.dataset['tip'] ?? ''
  const keys = owner.dataset['keys']
  const isOn = keys !== undefined && (keys.length > 1 || currentSettings().singleKeys)
  return text === '' && !isOn ? undefined : { owner, text, keys: isOn ? keys : undefined }
}

/** Below its owner if there is room, above it otherwise, and never beyond the edge of the window. */
function place(tip: HTMLElement, owner: HTMLElement): void {
  const around = owner.getBoundingClientRect()
  const { width, height } = tip.getBoundingClientRect()
  const isRoomBelow = around.bottom + DISTANCE_PX + height < innerHeight
  const left = around.left + around.width / 2 - width / 2
  tip.style.left = `${Math.max(8, Math.min(left, document.documentElement.clientWidth - width - 8))}px`
  tip.style.top = `${isRoomBelow ? around.bottom + DISTANCE_PX : Math.max(8, around.top - DISTANCE_PX - height)}px`
}
