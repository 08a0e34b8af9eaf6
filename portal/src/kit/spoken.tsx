import { words } from '../words/words.ts'
import { classes } from './classes.ts'
import { formatDuration } from './format.ts'
import styles from './spoken.module.css'
import { Hidden, Marked } from './text.tsx'

export interface SpokenLine {
  at: string
  from: 'us' | 'them'
  text: string
}

const said = words.kit.spoken

/** What two servers said to each other, line by line, each with the time since the first. */
export function Spoken({ label, lines }: { label: string; lines: readonly SpokenLine[] }) {
  const begun = Date.parse(lines[0]?.at ?? '')
  return (
    <ol className={styles.spoken} aria-label={label}>
      {lines.map(({ at, from, text }, place) => (
        <li key={place} className={classes(styles[from], from === 'them' && isRefusal.test(text) && styles.refusal)}>
          <span aria-hidden>{said.signs[from]}</span>
          <span className={styles.text}>
            <Hidden>{said.who[from]}</Hidden> <Marked text={text} />
          </span>
          <span className={styles.after}>{formatDuration(Date.parse(at) - begun)}</span>
        </li>
      ))}
    </ol>
  )
}

const isRefusal = /^[45]\d\d/
