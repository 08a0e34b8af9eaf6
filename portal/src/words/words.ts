import { en } from './en.ts'

/** What every language has to say. */
export type Words = typeof en

/** The texts of the language in use. */
export const words: Words = en
