// Made by `npm run generate`; change the routes and their schemas, not this file.

export interface Sending {
  held: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  since: string | null
  because: string | null
  due: SendingDue | null
}

/** What would leave now, of the projects that the caller sees; after a change as it was last counted. */
export interface SendingDue {
  emails: number
  webhooks: number
  sms: number
}

export interface HoldSending {
  /** Why, in words for colleagues. */
  because: string
}

export interface ResumeSending {
  /** Why, in words for colleagues. */
  because?: string
}
