import { cloneElement, useEffect, useRef, useState, type ReactElement } from 'react'
import { loadWidgets, useWidgets } from './late.ts'
import styles from './menu.module.css'
import type { MenuProps } from './widgets/menu.tsx'
import type { PopoverProps } from './widgets/popover.tsx'

export type { MenuProps, PopoverProps }
export type { MenuGroup } from './widgets/menu.tsx'

/** A button that opens a list of things to do or places to go. */
export function Menu(props: MenuProps) {
  const { widgets, fallback, box, wasPressed } = useLate(props.button, 'menu')
  return (
    <span ref={box} className={styles.box}>
      {widgets === undefined ? fallback : <widgets.Menu {...props} isOpenAtOnce={wasPressed} />}
    </span>
  )
}

/** A button that opens a small box beside it. */
export function Popover(props: PopoverProps) {
  const { widgets, fallback, box, wasPressed } = useLate(props.button, 'dialog')
  return (
    <span ref={box} className={styles.box}>
      {widgets === undefined ? fallback : <widgets.Popover {...props} isOpenAtOnce={wasPressed} />}
    </span>
  )
}

/** The button alone until the widgets are there. It remembers being pressed, and hands its focus to its successor. */
function useLate(button: ReactElement, kind: 'menu' | 'dialog') {
  const widgets = useWidgets()
  const box = useRef<HTMLSpanElement>(null)
  const hadFocus = useRef(false)
  const [wasPressed, setPressed] = useState(false)
  useEffect(() => {
    if (widgets !== undefined && hadFocus.current) box.current?.querySelector('button')?.focus()
  }, [widgets])
  const fallback = cloneElement(button as ReactElement<Record<string, unknown>>, {
    'aria-haspopup': kind,
    'aria-expanded': false,
    onClick: () => {
      setPressed(true)
      void loadWidgets()
    },
    onPointerEnter: () => void loadWidgets(),
    onFocus: () => {
      hadFocus.current = true
    },
    onBlur: () => {
      hadFocus.current = false
    },
  })
  return { widgets, fallback, box, wasPressed }
}
