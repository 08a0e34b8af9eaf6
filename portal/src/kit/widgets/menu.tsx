import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement } from 'react'
import { words } from '../../words/words.ts'
import { classes } from '../classes.ts'
import { Icon, type IconName } from '../icons.tsx'
import { Link } from '../link.tsx'
import { Foreign, Key } from '../text.tsx'
import styles from './floating.module.css'

export interface MenuEntry {
  label: string
  hint?: string | undefined
  icon?: IconName | undefined
  /** A key that does the same. */
  keys?: string | undefined
  tone?: 'plain' | 'bad' | undefined
  /** Leads to an address … */
  to?: string | undefined
  /** … or does something. */
  run?: (() => unknown) | undefined
  /** One of several of which one is in force. */
  isChosen?: boolean | undefined
}

export interface MenuGroup {
  title?: string
  entries: readonly MenuEntry[]
}

export interface MenuProps {
  /** The button that opens it: a Button or IconButton. */
  button: ReactElement
  groups: readonly MenuGroup[]
  align?: 'start' | 'end'
  isOpenAtOnce?: boolean
}

export const Menu = ({ button, groups, align = 'end', isOpenAtOnce = false }: MenuProps) => (
  <Base.Root defaultOpen={isOpenAtOnce}>
    <Base.Trigger render={button} />
    <Base.Portal role="region" aria-label={words.kit.menu}>
      <Base.Positioner className={styles.positioner} sideOffset={4} align={align} collisionPadding={8}>
        <Base.Popup className={styles.popup}>
          {groups.map((group, place) => (
            <Base.Group key={group.title ?? place}>
              {place > 0 && <Base.Separator className={styles.line} />}
              {group.title !== undefined && (
                <Base.GroupLabel className={styles.groupTitle}>
                  <Foreign text={group.title} />
                </Base.GroupLabel>
              )}
              {group.entries.map((entry) => (
                <Entry key={entry.to ?? entry.label} entry={entry} />
              ))}
            </Base.Group>
          ))}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)

function Entry({ entry }: { entry: MenuEntry }) {
  const { label, hint, icon, keys, tone, to, run, isChosen } = entry
  const className = classes(styles.item, tone === 'bad' && styles.bad)
  const inside = (
    <>
      {icon !== undefined && <Icon name={icon} />}
      <span className={styles.text}>
        <Foreign text={label} />
        {hint !== undefined && <span className={styles.hint}>{hint}</span>}
      </span>
      {keys !== undefined && <Key>{keys}</Key>}
      {isChosen !== undefined && <span className={styles.mark}>{isChosen && <Icon name="check" />}</span>}
    </>
  )
  if (to !== undefined) {
    return (
      <Base.LinkItem className={className} closeOnClick render={<Link to={to} aria-current={isChosen || undefined} />}>
        {inside}
      </Base.LinkItem>
    )
  }
  if (isChosen !== undefined) {
    return (
      <Base.CheckboxItem className={className} checked={isChosen} closeOnClick onCheckedChange={() => void run?.()}>
        {inside}
      </Base.CheckboxItem>
    )
  }
  return (
    <Base.Item className={className} onClick={() => void run?.()}>
      {inside}
    </Base.Item>
  )
}
