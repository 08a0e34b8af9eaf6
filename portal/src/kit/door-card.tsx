import type { ReactNode } from 'react'
import { Icon } from './icons.tsx'
import styles from './page.module.css'

export interface DoorCardProps {
  title: string
  children: ReactNode
  /** Below the card: other ways. */
  foot?: ReactNode
}

/** The page of somebody who is not signed in: one card, and nothing else. */
export const DoorCard = ({ title, children, foot }: DoorCardProps) => (
  <main className={styles.door}>
    <div className={styles.brand}>
      <Icon name="mail" />
      Posthouse
    </div>
    <div className={styles.doorCard}>
      <h1>{title}</h1>
      {children}
    </div>
    {foot !== undefined && <div className={styles.doorFoot}>{foot}</div>}
  </main>
)

/** A line with a word between two ways of doing the same. */
export const Or = ({ children }: { children: ReactNode }) => <div className={styles.or}>{children}</div>
