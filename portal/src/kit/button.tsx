import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import styles from './button.module.css'
import { classes } from './classes.ts'
import { Icon, type IconName } from './icons.tsx'
import { Link } from './link.tsx'
import { visibly } from './visible.ts'

export type Tone = 'plain' | 'main' | 'bad' | 'quiet'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'style' | 'disabled'> {
  /** `main` for the one thing that the page is about, `bad` for what destroys. */
  tone?: Tone | undefined
  icon?: IconName | undefined
  /** Something is under way: the button says so, keeps its width, and cannot be pressed. */
  isBusy?: boolean | undefined
  /** Why it cannot be pressed now; shown on hover and focus. */
  reason?: string | undefined
  /** A key that does the same, shown on hover and focus. */
  keys?: string | undefined
  isSmall?: boolean | undefined
  children: ReactNode
}

export function Button({ tone = 'plain', icon, isBusy = false, reason, keys, isSmall = false, ...props }: ButtonProps) {
  const { children, onClick, type = 'button', 'aria-label': name, ...rest } = props
  const isOff = isBusy || reason !== undefined
  return (
    <button
      // A button that waits stays where the focus is; `disabled` would throw the focus away.
      type={isOff && type === 'submit' ? 'button' : type}
      className={classes(styles.button, styles[tone], isSmall && styles.small, isBusy && styles.busy)}
      aria-busy={isBusy || undefined}
      aria-disabled={isOff || undefined}
      data-tip={reason ?? (keys === undefined ? undefined : '')}
      data-keys={keys}
      aria-keyshortcuts={keys === undefined ? undefined : shortcutNames(keys)}
      onClick={isOff ? prevented : onClick}
      aria-label={name === undefined ? undefined : visibly(name)}
      {...rest}
    >
      <span className={styles.label}>
        {icon !== undefined && <Icon name={icon} />}
        {children}
      </span>
      {isBusy && <span className={styles.ring} />}
    </button>
  )
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon' | 'aria-label'> {
  /** The name for everybody: read out, and shown on hover and focus. */
  label: string
  icon: IconName
}

export function IconButton({
  label,
  icon,
  tone = 'quiet',
  isBusy = false,
  isSmall = false,
  ...props
}: IconButtonProps) {
  const { onClick, type = 'button', reason, keys, ...rest } = props
  const isOff = isBusy || reason !== undefined
  return (
    <button
      type={type}
      className={classes(styles.button, styles[tone], styles.icon, isSmall && styles.small, isBusy && styles.busy)}
      aria-label={visibly(label)}
      aria-busy={isBusy || undefined}
      aria-disabled={isOff || undefined}
      data-tip={reason ?? label}
      data-keys={keys}
      aria-keyshortcuts={keys === undefined ? undefined : shortcutNames(keys)}
      onClick={isOff ? prevented : onClick}
      {...rest}
    >
      <Icon name={icon} />
      {isBusy && <span className={styles.ring} />}
    </button>
  )
}

export interface LinkButtonProps {
  to: string
  tone?: Tone | undefined
  icon?: IconName | undefined
  isSmall?: boolean | undefined
  children: ReactNode
}

/** A link that looks like a button: it leads to a page and changes nothing. */
export const LinkButton = ({ to, tone = 'plain', icon, isSmall = false, children }: LinkButtonProps) => (
  <Link to={to} className={classes(styles.button, styles[tone], isSmall && styles.small)}>
    <span className={styles.label}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </span>
  </Link>
)

const prevented = (event: MouseEvent): void => event.preventDefault()

/** `⌘K` → `Meta+K Control+K`, as the attribute wants it. */
const shortcutNames = (keys: string): string =>
  keys.startsWith('⌘') ? `Meta+${keys.slice(1)} Control+${keys.slice(1)}` : keys
