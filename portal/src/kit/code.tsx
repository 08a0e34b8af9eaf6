import { words } from '../words/words.ts'
import { classes } from './classes.ts'
import styles from './code.module.css'
import { CopyButton } from './copy-button.tsx'
import { Marked } from './text.tsx'

export interface CodeProps {
  text: string
  /** What it is, for screen readers. */
  label: string
  wraps?: boolean
  /** The name of the copy button; null for none. */
  copyLabel?: string | null
}

/** Text as a machine wrote or wants it. It scrolls in its own frame, which the keyboard can reach. */
export const Code = ({ text, label, wraps = false, copyLabel = words.kit.copy }: CodeProps) => (
  <div className={styles.box}>
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <pre
      className={classes(styles.code, wraps && styles.wraps, copyLabel !== null && styles.hasCopy)}
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <Marked text={text} />
    </pre>
    {copyLabel !== null && (
      <div className={styles.copy}>
        <CopyButton text={text} label={copyLabel} isIcon />
      </div>
    )}
  </div>
)

export interface JsonProps extends Omit<CodeProps, 'text'> {
  value: unknown
}

/** A value as indented JSON. */
export const Json = ({ value, ...props }: JsonProps) => <Code text={JSON.stringify(value, undefined, 2)} {...props} />
