import { differenceOf } from './difference.ts'
import { Marked } from './text.tsx'
import styles from './compared.module.css'

export interface ComparedProps {
  text: string
  /** What it should be. */
  wanted: string
}

/** A text of which the part is marked that is not as it should be. */
export const Compared = ({ text, wanted }: ComparedProps) => (
  <bdi className={styles.text}>
    {differenceOf(text, wanted).map((piece, place) =>
      piece.isDifferent ? (
        <mark key={place} className={styles.different}>
          <Marked text={piece.text} />
        </mark>
      ) : (
        <Marked key={place} text={piece.text} />
      ),
    )}
  </bdi>
)
