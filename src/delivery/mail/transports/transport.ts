import type { Dialogue } from '../../../core/dialogue.ts'
import type { Attempt, Mail } from '../../../smtp/client/attempt.ts'

export interface Outgoing extends Mail {
  /** How often the mail was tried before. */
  attempts: number
  /** Called right before the mail goes to a site: how long it has to wait, or that it must not go there at all now. */
  admit?(site: string): Promise<number | 'paused'>
}

/** A mail as transports to real servers need it. */
export type Carried = Omit<Outgoing, 'attempts'>

/** The mail was not tried, which is no reason to leave the site alone. */
export const heldBack = (site: string, afterMs: number): Sent => ({
  result: { kind: 'returned', reason: `mail of its sender's domain is held back at ${site}`, afterMs },
  peer: undefined,
  milliseconds: 0,
  isHeld: true,
})

/** Somebody paused the site, which its destination did not say: it goes back and is held under its site. */
export const elsewherePaused = (site: string): Sent => ({
  result: { kind: 'withheld' },
  peer: undefined,
  milliseconds: 0,
  site,
})

export type Sent = Attempt & {
  /** The site that the mail went to, where that is found out on the way: limits go by it. */
  site?: string
  /** The site was not asked: see `Outgoing.admit`. */
  isHeld?: true
  /** For how long mail of its sender's domain is held back at the site because of this attempt. */
  heldMs?: number
  /** A relay of ours answered, in whose words the recipient's server and our account sound alike. */
  isRelayed?: true
  /** What was said, without the secret in our return path; undefined where nothing was. */
  dialogue?: () => Dialogue | undefined
  /** An outcome of the simulator that no server could reply with. */
  pretend?: 'complaint' | 'suppression'
}

/** A way for mail to leave us. */
export interface Transport {
  /** Rejects only with what the mail itself throws. */
  send(mail: Outgoing): Promise<Sent>
  /** How many connections there are to a site. */
  connectionsAt?(site: string): number
  /** Takes no more mail, and waits for what is on its way. */
  stop(): Promise<void>
}
