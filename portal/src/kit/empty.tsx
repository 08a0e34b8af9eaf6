import type { ReactNode } from 'react'
import { words } from '../words/words.ts'
import { Button } from './button.tsx'
import { Code } from './code.tsx'
import { CopyButton } from './copy-button.tsx'
import { Icon, type IconName } from './icons.tsx'
import { ExternalLink } from './link.tsx'
import { problemOf } from './problem.ts'
import styles from './states.module.css'
import { Quiet } from './text.tsx'

export interface EmptyProps {
  title: string
  /** What this is and why one would want it, in a sentence or two. */
  sentence: ReactNode
  icon?: IconName
  /** The one button. */
  action?: ReactNode
  /** The same as a command. */
  curl?: string
  /** A page below `/docs`. */
  docs?: string
}

/** There is nothing yet. */
export const Empty = ({ title, sentence, icon = 'circle', action, curl, docs }: EmptyProps) => (
  <div className={styles.empty}>
    <Icon name={icon} size={32} />
    <h2>{title}</h2>
    <p>{sentence}</p>
    {(action !== undefined || docs !== undefined) && (
      <div className={styles.actions}>
        {action}
        {docs !== undefined && <ExternalLink href={docs}>{words.kit.inDocs}</ExternalLink>}
      </div>
    )}
    {curl !== undefined && (
      <details className={styles.curl}>
        <summary>{words.kit.sameAsCurl}</summary>
        <Code text={curl} label={words.kit.sameAsCurl} />
      </details>
    )}
  </div>
)

/** The API does not let this person see it. */
export const NotForYou = ({ scope }: { scope?: string | undefined }) => (
  <Empty
    icon="lock"
    title={words.kit.notForYou.title}
    sentence={scope === undefined ? words.kit.notForYou.plain : words.kit.notForYou.sentence(scope)}
  />
)

export const NotFound = ({ action }: { action?: ReactNode }) => (
  <Empty icon="search" title={words.kit.notFound.title} sentence={words.kit.notFound.sentence} action={action} />
)

export interface FailureProps {
  error: unknown
  onRetry?: (() => void) | undefined
  /** Whether it is being tried again by itself. */
  isTrying?: boolean
}

/** A part of the page that could not be loaded: refused, not there, or not answered. */
export function Failure({ error, onRetry, isTrying = false }: FailureProps) {
  const problem = problemOf(error)
  if (problem.status === 403) {
    const scope = problem.extra['requiredScope']
    return <NotForYou scope={typeof scope === 'string' ? scope : undefined} />
  }
  if (problem.status === 404) return <NotFound />
  return (
    <div className={styles.empty} role="alert">
      <Icon name="problem" size={32} />
      <h2>{words.kit.failure.title}</h2>
      <p>{problem.status === undefined || problem.status === 0 ? words.kit.failure.lost : problem.error}</p>
      {isTrying && <Quiet isSmall>{words.kit.failure.trying}</Quiet>}
      <div className={styles.actions}>
        {onRetry !== undefined && (
          <Button icon="refresh" onClick={onRetry}>
            {words.kit.failure.again}
          </Button>
        )}
        {problem.requestId !== undefined && (
          <CopyButton text={problem.requestId} label={words.kit.copyThing(words.kit.requestId)} />
        )}
      </div>
    </div>
  )
}
