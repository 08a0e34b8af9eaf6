import type { Hand } from '../support/hand.ts'
import type { Visitor, VisitorOptions } from '../support/visitor.ts'

/** A way in which every task must be possible. */
export interface Way extends Pick<VisitorOptions, 'scheme' | 'screen'> {
  by: 'mouse' | 'keyboard'
  scheme: 'light' | 'dark'
  screen: 'wide' | 'narrow'
}

/** Something that people come to the portal for, described once by accessible names. */
export interface Task {
  what: string
  /** With a mouse on a wide screen; what is written is not counted, and neither is choosing a role. */
  clicks: number
  /** Prepares an installation in which the task is then done in one way after the other. */
  prepare: () => Promise<(way: Way) => Promise<Attempt>>
}

/** A visitor on the page on which the task begins. */
interface Attempt {
  visitor: Visitor
  steps: (hand: Hand) => Promise<void>
  /** What became of it, as the API, the database or a receiver tells it. */
  outcome: () => Promise<void>
}
