import { jobKind } from '../../../jobs/define.ts'

/** Looks into messages that were accepted together. */
export const readReceived = jobKind<{ messages: string[] }>('receiving.read')
