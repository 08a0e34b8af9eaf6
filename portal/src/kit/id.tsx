import { words } from '../words/words.ts'
import { CopyButton } from './copy-button.tsx'
import styles from './id.module.css'

/** Longer ones are shortened in the middle. */
const MAX_LENGTH = 18

export interface IdProps {
  id: string
  /** What the copy button is called; "Copy id" if left out. */
  copyLabel?: string
  /** All of it, where there is room. */
  isWhole?: boolean
}

/** An id, shortened in the middle, with a button that copies all of it. */
export const Id = ({ id, copyLabel = words.kit.copyThing('id'), isWhole = false }: IdProps) => (
  <span className={styles.id}>
    <code className={styles.text} data-tip={isWhole ? undefined : id}>
      {isWhole ? id : shortId(id)}
    </code>
    <CopyButton text={id} label={copyLabel} isIcon />
  </span>
)

/** `em_01k9t3v8qf0e5r7w2m…` → `em_01k9t3…w2m`. */
export const shortId = (id: string): string => (id.length <= MAX_LENGTH ? id : `${id.slice(0, 10)}…${id.slice(-5)}`)
