import type { ReactNode } from 'react'
import { words } from '../words/words.ts'
import styles from './badge.module.css'
import { classes } from './classes.ts'

/** What a state means for the reader; each tone has a shape of its own beside its colour. */
export type StateTone = 'ok' | 'info' | 'warn' | 'bad' | 'plan' | 'none'

export interface BadgeProps {
  tone?: StateTone
  /** Without the sign in front, for what is no state: a count, a kind. */
  isPlain?: boolean
  children: ReactNode
}

export const Badge = ({ tone = 'none', isPlain = false, children }: BadgeProps) => (
  <span className={classes(styles.badge, styles[tone], isPlain && styles.plain)}>{children}</span>
)

/** Every state that the API knows, by its word there. */
const tones: Readonly<Record<StateName, StateTone>> = {
  accepted: 'info',
  queued: 'info',
  sending: 'info',
  pending: 'info',
  processing: 'info',
  scheduled: 'plan',
  paused: 'plan',
  delivered: 'ok',
  verified: 'ok',
  active: 'ok',
  enabled: 'ok',
  sent: 'ok',
  opened: 'ok',
  clicked: 'ok',
  deferred: 'warn',
  warning: 'warn',
  quarantined: 'warn',
  bounced: 'bad',
  filteredspam: 'bad',
  complained: 'bad',
  failed: 'bad',
  disabled: 'bad',
  expired: 'bad',
  revoked: 'bad',
  suppressed: 'none',
  cancelled: 'none',
  draft: 'none',
  archived: 'none',
  unsubscribed: 'none',
}

export type StateName = keyof typeof words.kit.states

/** A state of the API with its sign and its word. One that this version does not know is shown as the API says it. */
export const Status = ({ state }: { state: string }) =>
  isKnown(state) ? <Badge tone={tones[state]}>{words.kit.states[state]}</Badge> : <Badge>{state}</Badge>

const isKnown = (state: string): state is StateName => Object.hasOwn(tones, state)

/** For colouring something beside the word, such as a point of a time line. */
export const toneOf = (state: string): StateTone => (isKnown(state) ? tones[state] : 'none')

/** The word for a state of the API. */
export const stateWord = (state: string): string => (isKnown(state) ? words.kit.states[state] : state)
