/**
 * The texts of the language in use. It is a namespace and no object, so that each page loads the words of its own areas
 * alone.
 */
export * as words from './en.ts'
