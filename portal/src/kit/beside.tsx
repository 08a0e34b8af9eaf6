import { useSyncExternalStore, type ReactNode } from 'react'
import styles from './beside.module.css'

const WIDE = '(width >= 1100px)'

/** Whether there is room for a list and, beside it, what is chosen in it. */
export const useHasRoomBeside = (): boolean => useSyncExternalStore(watch, isWide)

function watch(changed: () => void): () => void {
  const media = matchMedia(WIDE)
  media.addEventListener('change', changed)
  return () => media.removeEventListener('change', changed)
}

const isWide = (): boolean => matchMedia(WIDE).matches

export interface BesideProps {
  /** The name of the pane, for screen readers. */
  label: string
  pane: ReactNode
  children: ReactNode
}

/** A list with a pane at its side, whose place and width do not depend on what is in it. */
export const Beside = ({ label, pane, children }: BesideProps) => (
  <div className={styles.beside}>
    {children}
    {/* It scrolls, so the keyboard must reach it. */}
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <div className={styles.pane} role="region" aria-label={label} tabIndex={0}>
      {pane}
    </div>
  </div>
)
