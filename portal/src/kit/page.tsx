import { createContext, useContext, useEffect, useRef, type ReactNode } from 'react'
import { words } from '../words/words.ts'
import { useOfferedActions, type Action } from './actions.ts'
import { useAddress } from './address.ts'
import { Button, IconButton, LinkButton } from './button.tsx'
import { classes } from './classes.ts'
import { Link } from './link.tsx'
import { Menu } from './menu.tsx'
import styles from './page.module.css'
import { Foreign } from './text.tsx'
import { visibly } from './visible.ts'

/** What the frame around the pages adds to each: things that can be done everywhere, and how the tab is called. */
export interface PageSurroundings {
  actions: readonly Action[]
  /** Behind the page's own names in the title of the tab: the project, the product. */
  titleEnd: readonly string[]
  /** Read out when another page has come. */
  announce: (title: string) => void
}

export const PageSurroundingsContext = createContext<PageSurroundings>({
  actions: [],
  titleEnd: [],
  announce: () => undefined,
})

export interface PageHeadProps {
  title: string
  /** The title is not the real one yet, such as an id: another one follows. */
  isPending?: boolean
  /** Where the page belongs: links from the outermost inwards. */
  path?: readonly { label: string; to: string }[]
  /** The last word of the path, where the title is too long for it: an id. */
  here?: string
  /** Beside the title: the state, a sentence in small print. */
  status?: ReactNode
  note?: ReactNode
  actions?: readonly Action[]
}

/** The one `h1`, what can be done here, the title of the tab; the focus comes here when another page has come. */
export function PageHead({ title, isPending = false, path = [], here, status, note, actions = [] }: PageHeadProps) {
  const surroundings = useContext(PageSurroundingsContext)
  const all = [...actions, ...surroundings.actions]
  useOfferedActions(all)
  const heading = useTitle(title, path.map(({ label }) => label).toReversed(), isPending)
  const buttons = actions.filter(({ place }) => place !== 'menu')
  const inMenu = all.filter((action) => !buttons.includes(action))
  return (
    <>
      {path.length > 0 && (
        <nav className={styles.path} aria-label={words.kit.path}>
          {path.map(({ label, to }, place) => (
            <span key={to}>
              {place > 0 && '/ '}
              <Link to={to}>
                <Foreign text={label} />
              </Link>
            </span>
          ))}
          <span className={styles.here} aria-current="page">
            / <Foreign text={here ?? title} />
          </span>
        </nav>
      )}
      <div className={styles.head}>
        <h1 ref={heading} tabIndex={-1}>
          <Foreign text={title} />
        </h1>
        {status}
        {note !== undefined && <div className={styles.note}>{note}</div>}
        <div className={classes(styles.actions, buttons.length === 0 && styles.onlyMenu)}>
          {buttons.map((action) => (
            <ActionButton key={action.label} action={action} />
          ))}
          {inMenu.length > 0 && (
            <Menu
              button={
                <IconButton label={words.kit.moreActions} icon="more" tone="plain" keys="." id={ACTIONS_BUTTON_ID} />
              }
              groups={[{ entries: inMenu.map(entryOf) }]}
            />
          )}
        </div>
      </div>
    </>
  )
}

/** The key `.` presses the button with this id. */
export const ACTIONS_BUTTON_ID = 'actions-here'

function ActionButton({ action, isSmall = false }: { action: Action; isSmall?: boolean }) {
  const { label, to, run, icon, tone, keys, isBusy, reason } = action
  if (to !== undefined && reason === undefined) {
    return (
      <LinkButton to={to} tone={tone} icon={icon} isSmall={isSmall}>
        {label}
      </LinkButton>
    )
  }
  return (
    <Button
      tone={tone}
      icon={icon}
      keys={keys}
      isBusy={isBusy}
      reason={reason}
      isSmall={isSmall}
      onClick={() => void run?.()}
    >
      {label}
    </Button>
  )
}

const entryOf = ({ label, to, run, icon, tone, keys }: Action) => ({
  label,
  to,
  run,
  icon,
  keys,
  tone: tone === 'bad' ? ('bad' as const) : ('plain' as const),
})

/** The path whose heading had the focus; the first page of a tab leaves the focus where the browser put it. */
let focusedPath: string | undefined
/** The path whose title is still to be read out. */
let unspokenPath: string | undefined

function useTitle(title: string, inner: readonly string[], isPending: boolean) {
  const { path } = useAddress()
  const { titleEnd, announce } = useContext(PageSurroundingsContext)
  const heading = useRef<HTMLHeadingElement>(null)
  const whole = visibly([title, ...inner, ...titleEnd].filter((word) => word !== '').join(' · '))
  useEffect(() => {
    document.title = whole
  }, [whole])
  useEffect(() => {
    const isFirst = focusedPath === undefined
    if (focusedPath === path) return
    focusedPath = path
    if (isFirst && !wasFollowed(path)) return
    heading.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
    unspokenPath = path
  }, [path])
  useEffect(() => {
    if (isPending || unspokenPath !== path) return
    unspokenPath = undefined
    announce(document.title)
  }, [path, isPending, announce])
  return heading
}

/** A link in the frame can be followed before the page that it stood around has come. */
const wasFollowed = (path: string): boolean => {
  const { activeElement } = document
  return activeElement instanceof HTMLAnchorElement && activeElement.pathname === path
}

/** Reads out what has changed by itself while somebody looks at a thing, such as its state; undefined is not known yet. */
export function useSpokenChange(id: string, text: string | undefined): void {
  const { announce } = useContext(PageSurroundingsContext)
  const before = useRef({ id, text })
  useEffect(() => {
    const known = before.current.id === id ? before.current.text : undefined
    if (known !== undefined && text !== undefined && known !== text) announce(text)
    before.current = { id, text: text ?? known }
  }, [id, text, announce])
}

/** The space of a page: its parts one below the other. `isNarrow` for forms and settings. */
export const PageBody = ({ children, isNarrow = false }: { children: ReactNode; isNarrow?: boolean }) => (
  <div className={classes(styles.page, isNarrow && styles.narrow)}>{children}</div>
)
