// Made by `npm run generate`; change the routes and their schemas, not this file.

export interface LiveChange {
  topic: string
  /** Another one than before where something has changed, also over two streams. */
  version: string
  /** Of one thing. */
  status?: string
  /**
   * Of `overview`: what happened to recipients in the minute that runs, as `/statistics/emails` counts it (`accepted`,
   * `delivered`, `bounced` and so on), and `waiting`, which ends at 1000.
   */
  counts?: Record<string, number>
  /**
   * Of `overview`: true where the counts of the minute are too low, because more than 10000 rows would have to be added
   * up for them.
   */
  isMore?: boolean
  /** Of `overview`: mails of the project, as the workers told in the last seconds. */
  leavingPerSecond?: number
  /** Of `emails` and `inbox`, unless there is none. */
  newestId?: string
  /** Of `emails`: so many came since the last change. */
  more?: number
  /** The thing is there no longer. */
  deleted?: true
}

export interface LiveChangeEvent {
  event: 'change'
  data: LiveChange
}

export type LiveEvent = LiveHelloEvent | LiveChangeEvent

export interface LiveHello {
  /** The version of Posthouse that runs here. */
  version: string
  /** The time by which everything is dated: that of the database. */
  at: string
}

export interface LiveHelloEvent {
  event: 'hello'
  data: LiveHello
}
