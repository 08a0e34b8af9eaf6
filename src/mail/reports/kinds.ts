import type { Field } from '../parse/fields.ts'
import type { ReplyClass } from '../replies/reply-class.ts'

/** One recipient of a message, as the report of a server describes the delivery. */
export interface RecipientReport {
  /** As our message named the recipient, where the server still knows that; else the one it failed at. */
  readonly recipient: string
  /** RFC 3464 §2.3.3 defines these actions. */
  readonly action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded'
  /** The enhanced code of RFC 3463, where there is one. */
  readonly status: string | undefined
  /** The server that refused said this. The text is one line of at most 1,000 characters. */
  readonly diagnostic: string | undefined
  /** The class of that reply is undefined where the report quotes none. */
  readonly meaning: ReplyClass | undefined
  /** The address does not exist, so every further attempt would fail. It gets no more mail. */
  readonly isGone: boolean
  /** A code says so, not words alone. */
  readonly isByCode: boolean
  /**
   * It is a hard bounce beyond doubt. A closed account, and an address that is called unknown only after the content,
   * are softer, but get no more mail either.
   */
  readonly isHard: boolean
}

/** The part of the reported message that came back with the report. */
export interface Returned {
  readonly messageId: string | undefined
  readonly fields: readonly Field[]
}

/**
 * What a message has to say about another one.
 *
 *   bounce            at least one recipient failed; others in the same report may be delayed or have got it
 *   delay             somebody is still trying
 *   receipt           delivered, relayed or expanded, as somebody had asked to be told
 *   complaint         a reader called the message spam, or the like
 *   feedback          a feedback report that is no complaint: not spam after all, or about authentication
 *   automatic reply   a program answered in the place of a person: vacation notices, read receipts
 *   none              a message like any other
 *
 * It is only what the message says. Anyone can write such a message: what follows from it needs a token of ours.
 */
export type Report =
  | DeliveryReport<'bounce'>
  | DeliveryReport<'delay'>
  | DeliveryReport<'receipt'>
  | FeedbackReport<'complaint'>
  | FeedbackReport<'feedback'>
  | { readonly kind: 'automatic reply' }
  | { readonly kind: 'none' }

interface DeliveryReport<Kind> {
  readonly kind: Kind
  readonly recipients: readonly RecipientReport[]
  readonly returned: Returned | undefined
}

interface FeedbackReport<Kind> {
  readonly kind: Kind
  /** The type is in lower case: `abuse`, `fraud`, `not-spam`, `auth-failure`. */
  readonly feedbackType: string
  /** The list is often empty: providers remove who complained. */
  readonly recipients: readonly string[]
  readonly returned: Returned | undefined
}
