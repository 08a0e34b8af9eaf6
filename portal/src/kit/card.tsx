import { useId, type ReactNode } from 'react'
import styles from './card.module.css'
import { classes } from './classes.ts'

export interface CardProps {
  /** The heading, which also names the section. Without one it is a plain frame. */
  title?: string
  /** Beside the heading: a badge, a count. */
  note?: ReactNode
  /** At the end of the heading's line. */
  tools?: ReactNode
  /** Without space around the content, for tables, tabs and lists. */
  isFlush?: boolean
  /** For what destroys. */
  tone?: 'plain' | 'bad'
  foot?: ReactNode
  children: ReactNode
}

export function Card({ title, note, tools, isFlush = false, tone = 'plain', foot, children }: CardProps) {
  const heading = useId()
  return (
    <section
      className={classes(styles.card, tone === 'bad' && styles.bad)}
      aria-labelledby={title === undefined ? undefined : heading}
    >
      {title !== undefined && (
        <div className={styles.head}>
          <h2 id={heading}>{title}</h2>
          {note}
          {tools !== undefined && <div className={styles.tools}>{tools}</div>}
        </div>
      )}
      {isFlush ? children : <div className={styles.body}>{children}</div>}
      {foot !== undefined && <div className={styles.foot}>{foot}</div>}
    </section>
  )
}
