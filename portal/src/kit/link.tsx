import type { ComponentProps, MouseEvent } from 'react'
import { words } from '../words/words.ts'
import { Icon } from './icons.tsx'
import { Hidden } from './text.tsx'

export interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** An address of the portal, with its query: `to.email(project, id)` of `shell/to.ts`. */
  to: string
  /** Instead of the present entry of the history: for tabs and filters. */
  replace?: boolean
}

/** A link to a page of the portal. Its code is fetched as soon as somebody is about to follow it. */
export function Link({ to, replace = false, onClick, onPointerEnter, onFocus, ...props }: LinkProps) {
  const go = useGo()
  const preload = (): void => navigation.preload(to.split(/[?#]/)[0] ?? to)
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event)
    if (event.defaultPrevented || !isPlainClick(event)) return
    event.preventDefault()
    go(to, { replace })
  }
  return (
    <a
      href={to}
      onClick={follow}
      onPointerEnter={(event) => {
        onPointerEnter?.(event)
        preload()
      }}
      onFocus={(event) => {
        onFocus?.(event)
        preload()
      }}
      {...props}
    />
  )
}

/** A link to another place, in a tab of its own that knows nothing of ours. */
export const ExternalLink = ({ href, children, ...props }: ComponentProps<'a'> & { href: string }) => (
  <a href={href} target="_blank" rel="noopener noreferrer" {...props}>
    {children} <Icon name="external" size={12} />
    <Hidden>{words.kit.externalLink}</Hidden>
  </a>
)

/** How addresses of the portal are followed. */
export interface Navigation {
  go: (to: string, how?: { replace?: boolean }) => void
  /** Fetches the code of a page ahead. */
  preload: (path: string) => void
}

/** The pages before signing in have no router, and must not load one: there the browser itself follows links. */
let navigation: Navigation = { go: (to) => globalThis.location.assign(to), preload: () => undefined }

export function navigateBy(router: Navigation): void {
  navigation = router
}

/** Returns the function that leads to an address of the portal. */
export const useGo = (): Navigation['go'] => navigation.go

const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
