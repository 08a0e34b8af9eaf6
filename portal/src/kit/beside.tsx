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

export interface Pane {
  /** The name of the pane, for screen readers. */
  label: string
  pane: ReactNode
}

/**
 * A list, and where there is room a pane at its side, whose place and width do not depend on what is in it. The list is the same
 * element with and without it: nothing in it is made anew, or read out again, when a window becomes wider.
 */
export const Beside = ({ beside, children }: { beside: Pane | undefined; children: ReactNode }) => (
  <div className={beside && styles.beside}>
    {children}
    {beside && (
      // It scrolls, so the keyboard must reach it.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      <div className={styles.pane} role="region" aria-label={beside.label} tabIndex={0}>
        {beside.pane}
      </div>
    )}
  </div>
)
