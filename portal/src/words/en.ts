import { kit } from './en/kit.ts'
import { overview } from './en/overview.ts'
import { shell } from './en/shell.ts'

/** English. Each area has a file; another language is another file of the same type. */
export const en = { kit, shell, overview }
