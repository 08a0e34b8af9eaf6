import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'
import { classes } from '../classes.ts'
import styles from './floating.module.css'

export interface PopoverProps {
  /** The button that opens it. */
  button: ReactElement
  title: string
  children: ReactNode
  align?: 'start' | 'end'
  isOpenAtOnce?: boolean
}

/** More about the thing beside it, or a few fields that change it. */
export const Popover = ({ button, title, children, align = 'start', isOpenAtOnce = false }: PopoverProps) => (
  <Base.Root defaultOpen={isOpenAtOnce}>
    <Base.Trigger render={button} />
    <Base.Portal>
      <Base.Positioner className={styles.positioner} sideOffset={4} align={align} collisionPadding={8}>
        <Base.Popup className={classes(styles.popup, styles.padded)}>
          <Base.Title className={styles.popoverTitle}>{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)
