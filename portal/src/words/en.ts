/** English. Each area has a file; another language is another file of the same type. */
export { kit } from './en/kit.ts'
export { overview } from './en/overview.ts'
export { passkeys } from './en/passkeys.ts'
export { shell } from './en/shell.ts'
