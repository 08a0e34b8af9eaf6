import { Dialog as Base } from '@base-ui/react/dialog'
import { useRef, type ReactNode } from 'react'
import { words } from '../../words/words.ts'
import { IconButton } from '../button.tsx'
import { classes } from '../classes.ts'
import { Foreign } from '../text.tsx'
import styles from './floating.module.css'

export interface DialogProps {
  title: string
  isOpen: boolean
  onClose: () => void
  /** Below the title, and read out with it. */
  description?: ReactNode
  size?: 'small' | 'medium' | 'large' | 'side'
  /** Neither Escape nor a press beside it closes it: a button of its own must. */
  isFirm?: boolean
  /** Buttons at the end; a form has its own. */
  foot?: ReactNode
  children?: ReactNode
}

export function Dialog({
  title,
  isOpen,
  onClose,
  description,
  size = 'medium',
  isFirm = false,
  ...props
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  const { foot, children } = props
  return (
    <Base.Root
      open={isOpen}
      disablePointerDismissal={isFirm}
      onOpenChange={(open, { reason }) => {
        if (!open && !(isFirm && reason === 'escape-key')) onClose()
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.veil} />
        <Base.Viewport className={classes(styles.viewport, size === 'side' && styles.side)}>
          <Base.Popup
            ref={popup}
            className={classes(styles.dialog, size === 'large' && styles.large, size === 'small' && styles.small)}
            initialFocus={() => firstField(popup.current) ?? popup.current}
          >
            <div className={styles.head}>
              <Base.Title className={styles.title}>
                <Foreign text={title} />
              </Base.Title>
              {!isFirm && <Base.Close render={<IconButton label={words.kit.close} icon="close" isSmall />} />}
            </div>
            <div className={styles.body}>
              {description !== undefined && (
                <Base.Description className={styles.description} render={<div />}>
                  {description}
                </Base.Description>
              )}
              {children}
              {foot !== undefined && <div className={styles.foot}>{foot}</div>}
            </div>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

/** The field that the dialog names, else its first field; undefined where it has none. */
export const firstField = (popup: HTMLElement | null): HTMLElement | undefined =>
  popup?.querySelector<HTMLElement>('[data-first-focus]') ??
  popup?.querySelector<HTMLElement>('input:not([type="hidden"]), select, textarea') ??
  undefined
