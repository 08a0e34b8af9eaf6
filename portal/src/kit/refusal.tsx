import { createContext, useContext, type ReactNode, type RefObject } from 'react'
import { words } from '../words/words.ts'
import { CopyButton } from './copy-button.tsx'
import { Notice } from './notice.tsx'
import { problemOf, sentenceOf, type Problem } from './problem.ts'
import styles from './field.module.css'

/** What helps against a refusal, by its code: a link or a button. The shell knows the pages, so it answers. */
export const WayOutContext = createContext<(problem: Problem) => ReactNode>(() => undefined)

export interface RefusalProps {
  error: unknown
  /** Instead of the sentence of the API, where a form shows part of it at its fields. */
  sentences?: readonly string[]
  ref?: RefObject<HTMLDivElement | null>
}

/** The sentence of the API about what was not done, with what helps against it. */
export function Refusal({ error, sentences, ref }: RefusalProps) {
  const problem = problemOf(error)
  const wayOut = useContext(WayOutContext)(problem)
  const lines = sentences ?? [problem.error, ...problem.details.map(sentenceOf)]
  return (
    <div ref={ref} tabIndex={-1} className={styles.refusal}>
      <Notice
        tone="bad"
        role="alert"
        actions={
          <>
            {wayOut}
            {problem.requestId !== undefined && (
              <CopyButton text={problem.requestId} label={words.kit.copyThing(words.kit.requestId)} isIcon />
            )}
          </>
        }
      >
        {[...new Set(lines)].join(' ')}
      </Notice>
    </div>
  )
}
