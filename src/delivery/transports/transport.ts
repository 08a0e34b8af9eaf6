import type { Attempt, Mail } from '../../mail/smtp/attempt.ts'

export interface Outgoing extends Mail {
  /** How often it was tried before. */
  attempts: number
}

export type Sent = Attempt & {
  /** Which site it went to, where that is found out on the way: limits go by it. */
  site?: string
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
