import { jobKind } from '../../jobs/define.ts'

/** Looks into messages that were accepted together. */
export const readReceived = jobKind<{ messages: string[] }>('receiving.read')

/** Makes jobs for those that came in a rush. */
export const readRush = jobKind<object>('receiving.read-rush', { attempts: 3 })

/** What came in a rush is left alone for so long, and up to a second more. */
export const RUSH_MS = 9_000
