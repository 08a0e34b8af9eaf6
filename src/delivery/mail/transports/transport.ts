import type { Attempt, Mail } from '../../../smtp/client/attempt.ts'

export interface Outgoing extends Mail {
  /** How often it was tried before. */
  attempts: number
  /** Asked right before it goes to a site: how long it has to wait because of who sends it. */
  admit?(site: string): number
}

/** What needs no more than to be carried. */
export type Carried = Omit<Outgoing, 'attempts'>

/** Not tried, and no reason to leave the site alone. */
export const heldBack = (site: string, afterMs: number): Sent => ({
  result: { kind: 'returned', reason: `mail of its sender's domain is held back at ${site}`, afterMs },
  peer: undefined,
  milliseconds: 0,
  isHeld: true,
})

export type Sent = Attempt & {
  /** Which site it went to, where that is found out on the way: limits go by it. */
  site?: string
  /** The site was not asked: see `Outgoing.admit`. */
  isHeld?: true
  /** For how long mail of its sender's domain is held back at the site because of this attempt. */
  heldMs?: number
  /** A relay of ours answered, in whose words the recipient's server and our account sound alike. */
  isRelayed?: true
  /** What the simulator plays and no server says. */
  pretend?: 'complaint' | 'suppression'
}

/** A way to get rid of mail. */
export interface Transport {
  /** Rejects only with what the mail itself throws. */
  send(mail: Outgoing): Promise<Sent>
  /** Takes nothing more and waits for what is under way. */
  stop(): Promise<void>
}
