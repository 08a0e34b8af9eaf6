import { jobKind } from '../../../jobs/define.ts'

/** Processes messages that were accepted together. */
export const processReceived = jobKind<{ messages: string[] }>('receiving.read')

/** Makes jobs for messages that came in a burst. */
export const processDeferred = jobKind<object>('receiving.read-deferred', { attempts: 3 })

/** What came in a burst is deferred for so long, and for up to a second more. */
export const DEFER_MS = 9_000
