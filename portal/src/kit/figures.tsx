import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './figures.module.css'

export interface Figure {
  name: string
  label: string
  value: string
  /** Below: the same before, a limit. */
  notes: readonly ReactNode[]
  /** Where the value is beyond a limit; the notes say which. */
  tone?: 'plain' | 'warn' | 'bad'
}

/** The most important numbers of a page, one beside the other. */
export const Figures = ({ label, figures }: { label: string; figures: readonly Figure[] }) => (
  <dl className={styles.figures} aria-label={label}>
    {figures.map(({ name, label: title, value, notes, tone = 'plain' }) => (
      <div key={name} className={styles.figure}>
        <dt>{title}</dt>
        <dd className={classes(styles.value, tone !== 'plain' && styles[tone])}>{value}</dd>
        {notes.map((note, place) => (
          <dd key={place} className={styles.note}>
            {note}
          </dd>
        ))}
      </div>
    ))}
  </dl>
)
