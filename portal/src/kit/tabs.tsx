import { useId, type KeyboardEvent, type ReactNode } from 'react'
import { useAddress } from './address.ts'
import { Link } from './link.tsx'
import styles from './tabs.module.css'

export interface Tab<Name extends string> {
  name: Name
  label: string
  /** Beside the label: a count, a badge. It is no part of the tab's name. */
  note?: ReactNode
}

export interface TabsProps<Name extends string> {
  /** What the tabs choose between, for screen readers. */
  label: string
  tabs: readonly Tab<Name>[]
  selected: Name
  /** The parameter of the address that holds the choice; the first tab is the one without it. */
  parameter?: string
  /** What the selected tab shows. */
  children: ReactNode
}

/** Each tab is a link with an address of its own. Arrow keys, Home and End move between them, as in any row of tabs. */
export function Tabs<Name extends string>({ label, tabs, selected, parameter = 'tab', children }: TabsProps<Name>) {
  const id = useId()
  const address = useAddress()
  const first = tabs[0]?.name
  return (
    <>
      <div className={styles.tabs} role="tablist" aria-label={label} onKeyDown={moveBetweenTabs} tabIndex={-1}>
        {tabs.map(({ name, label: text, note }) => (
          <Link
            key={name}
            to={address.with({ [parameter]: name === first ? undefined : name })}
            replace
            className={styles.tab}
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === selected}
            aria-controls={name === selected ? `${id}-panel` : undefined}
            tabIndex={name === selected ? 0 : -1}
          >
            {text}
            {note !== undefined && <span aria-hidden="true">{note}</span>}
          </Link>
        ))}
      </div>
      <div className={styles.panel} role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`}>
        {children}
      </div>
    </>
  )
}

function moveBetweenTabs(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')]
  const place = tabs.findIndex((tab) => tab === document.activeElement)
  const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  const backward = forward === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft'
  const target =
    event.key === forward
      ? tabs[(place + 1) % tabs.length]
      : event.key === backward
        ? tabs.at(place - 1)
        : event.key === 'Home'
          ? tabs[0]
          : event.key === 'End'
            ? tabs.at(-1)
            : undefined
  if (place === -1 || target === undefined) return
  event.preventDefault()
  target.focus()
  target.click()
}

export interface SegmentsProps<Value extends string> {
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}

/** A choice between a few things of which one is always chosen, as buttons side by side. */
export const Segments = <Value extends string>({ label, options, value, onChange }: SegmentsProps<Value>) => (
  <div className={styles.segments} role="group" aria-label={label}>
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        className={styles.segment}
        aria-pressed={option.value === value}
        onClick={() => onChange(option.value)}
      >
        {option.label}
      </button>
    ))}
  </div>
)
