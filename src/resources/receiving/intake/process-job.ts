import { jobKind } from '../../../jobs/define.ts'

/** Processes messages that were accepted together. */
export const processReceived = jobKind<{ messages: string[] }>('receiving.read')
