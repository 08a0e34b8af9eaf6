import { words } from '../words/words.ts'
import { classes } from './classes.ts'
import styles from './states.module.css'
import { Hidden } from './text.tsx'

/** Where something will be; it appears after 150 ms, so that what comes at once does not flicker. */
export const Skeleton = ({ rows = 6, isTall = false }: { rows?: number; isTall?: boolean }) => (
  <div className={classes(styles.skeleton, isTall && styles.tall)}>
    <Hidden>{words.kit.loading}</Hidden>
    {Array.from({ length: rows }, (_, place) => (
      <div className={styles.bar} key={place} />
    ))}
  </div>
)

export interface ProgressProps {
  label: string
  value: number
  max: number
  /** In words, at the end of the line. */
  note?: string
}

export const Progress = ({ label, value, max, note }: ProgressProps) => (
  <div className={styles.progress}>
    <div className={styles.progressTop}>
      <span>{label}</span>
      <span>{note}</span>
    </div>
    <progress aria-label={label} value={value} max={max} />
  </div>
)
