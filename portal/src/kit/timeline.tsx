import type { ReactNode } from 'react'
import { words } from '../words/words.ts'
import type { StateTone } from './badge.tsx'
import { classes } from './classes.ts'
import { Icon } from './icons.tsx'
import { Hidden } from './text.tsx'
import styles from './timeline.module.css'

export interface Happening {
  id: string
  tone?: StateTone
  title: string
  /** Small, behind the title: the time, the attempt. */
  when?: ReactNode
  /** Below: what was said, what it means. */
  body?: ReactNode
}

/** What happened, in the order given. */
export const Timeline = ({ label, events }: { label: string; events: readonly Happening[] }) => (
  <ol className={styles.timeline} aria-label={label}>
    {events.map(({ id, tone = 'none', title, when, body }) => (
      <li key={id} className={styles[tone]}>
        <div className={styles.body}>
          <div className={styles.head}>
            <span className={styles.title}>{title}</span>
            {when !== undefined && <span className={styles.when}>{when}</span>}
          </div>
          {body}
        </div>
      </li>
    ))}
  </ol>
)

export interface Step {
  name: string
  title: string
  hint?: ReactNode
  isDone: boolean
  /** The one button of the step. */
  action?: ReactNode
}

/** Things to do, each of which ticks itself off. */
export const Steps = ({ label, steps }: { label: string; steps: readonly Step[] }) => (
  <ol className={styles.steps} aria-label={label}>
    {steps.map(({ name, title, hint, isDone, action }) => (
      <li key={name} className={classes(isDone && styles.isDone)}>
        <span className={styles.sign}>
          <Icon name={isDone ? 'done' : 'circle'} />
          <Hidden>{isDone ? words.kit.steps.done : words.kit.steps.todo}</Hidden>
        </span>
        <span className={styles.what}>
          <span className={styles.title}>{title}</span>
          {!isDone && hint !== undefined && <span className={styles.when}>{hint}</span>}
        </span>
        {!isDone && action}
      </li>
    ))}
  </ol>
)
