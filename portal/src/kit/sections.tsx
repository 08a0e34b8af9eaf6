import { useAddress } from './address.ts'
import { Link } from './link.tsx'
import styles from './tabs.module.css'

export interface SectionsProps {
  /** What the pages have in common, for screen readers. */
  label: string
  links: readonly { label: string; to: string }[]
}

/** Pages that belong together, as a row of links of which one is here. */
export function Sections({ label, links }: SectionsProps) {
  const { path } = useAddress()
  return (
    <nav className={styles.sections} aria-label={label}>
      {links.map(({ label: text, to }) => (
        <Link key={to} to={to} className={styles.tab} aria-current={to === path ? 'page' : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  )
}
