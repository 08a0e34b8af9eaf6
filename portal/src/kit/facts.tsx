import { Fragment, type ReactNode } from 'react'
import styles from './facts.module.css'

export interface Fact {
  name: string
  value: ReactNode
}

/** Names and values, one below the other. A fact that is false, null or undefined is left out. */
export const Facts = ({ facts }: { facts: readonly (Fact | false | null | undefined)[] }) => (
  <dl className={styles.facts}>
    {facts.map(
      (fact) =>
        fact !== undefined &&
        fact !== null &&
        fact !== false && (
          <Fragment key={fact.name}>
            <dt>{fact.name}</dt>
            <dd>{fact.value}</dd>
          </Fragment>
        ),
    )}
  </dl>
)
