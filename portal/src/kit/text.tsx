import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './text.module.css'
import { piecesOf } from './visible.ts'

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

/** Text with a mark in place of each character that changes its direction or that nobody would see. */
export const Marked = ({ text }: { text: string }) =>
  piecesOf(text).map((piece, place) =>
    piece.isMark ? (
      <span key={place} className={styles.mark}>
        {piece.text}
      </span>
    ) : (
      piece.text
    ),
  )

/** Text that somebody else wrote: a subject, a name, the reply of a server. An address breaks behind its sign. */
export function Foreign({ text }: { text: string }) {
  const [, local, domain] = /^([^\s@]+@)([^\s@]+)$/.exec(text) ?? []
  return (
    <bdi>
      {local === undefined || domain === undefined ? (
        <Marked text={text} />
      ) : (
        <>
          <Marked text={local} />
          <wbr />
          <Marked text={domain} />
        </>
      )}
    </bdi>
  )
}
