import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './text.module.css'

interface TextProps {
  children: ReactNode
  isSmall?: boolean
  isMono?: boolean
}

/** Text of second rank. */
export const Quiet = ({ children, isSmall = false, isMono = false }: TextProps) => (
  <span className={classes(styles.quiet, isSmall && styles.small, isMono && styles.mono)}>{children}</span>
)

export const Mono = ({ children }: { children: ReactNode }) => <span className={styles.mono}>{children}</span>

export const Strong = ({ children }: { children: ReactNode }) => <span className={styles.strong}>{children}</span>

/** For screen readers alone. */
export const Hidden = ({ children }: { children: ReactNode }) => <span className={styles.hidden}>{children}</span>

export const Key = ({ children }: { children: ReactNode }) => <kbd className={styles.key}>{children}</kbd>

/** One below the other. */
export const Stack = ({ children, isTight = false }: { children: ReactNode; isTight?: boolean }) => (
  <div className={classes(styles.stack, isTight && styles.tight)}>{children}</div>
)

/** One beside the other, wrapping where there is no room. */
export const Row = ({ children, isAtEnd = false }: { children: ReactNode; isAtEnd?: boolean }) => (
  <div className={classes(styles.row, isAtEnd && styles.end)}>{children}</div>
)

/** Two columns that become one at 900 px; the first is twice as wide unless they are halves. */
export const Columns = ({ children, areHalves = false }: { children: ReactNode; areHalves?: boolean }) => (
  <div className={classes(styles.columns, areHalves && styles.halves)}>{children}</div>
)

/** Characters that change the direction of a text, or that nobody sees: they could make one name look like another. */
const invisible =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0]/u

/** Text that somebody else wrote: a subject, a name, the reply of a server. What is invisible in it gets a mark. */
export function Foreign({ text }: { text: string }) {
  if (!invisible.test(text)) return <bdi>{text}</bdi>
  return (
    <bdi>
      {[...text].map((character, place) =>
        invisible.test(character) ? (
          <span key={place} className={styles.mark}>
            U+{character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}
          </span>
        ) : (
          character
        ),
      )}
    </bdi>
  )
}
