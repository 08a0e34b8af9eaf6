import { useEffect, useRef, useState, type RefObject } from 'react'
import { classes } from './classes.ts'
import styles from './mail-frame.module.css'

export interface MailLink {
  text: string
  href: string
  /** The text names another host than the one that the link leads to. */
  leadsElsewhere: boolean
}

/** What the frame found in a mail. */
export interface MailContents {
  links: MailLink[]
  /** Pictures that others hand out. Those that do not come encrypted are never loaded. */
  remoteImages: { https: number; http: number }
}

export interface MailFrameProps {
  html: string
  /** Pictures of the mail by their content id, as `data:` addresses. */
  images?: Readonly<Record<string, string>>
  scheme: 'light' | 'dark'
  /** Asked for by a person, for this mail. */
  allowRemoteImages?: boolean
  title: string
  onShown?: (contents: MailContents) => void
}

const noImages: Readonly<Record<string, string>> = {}

/**
 * Shows a mail that somebody else wrote. It is handed by message to a page without an origin, which shows it in a frame
 * in which nothing runs and from which nothing is fetched.
 */
export function MailFrame({
  html,
  images = noImages,
  scheme,
  allowRemoteImages = false,
  title,
  onShown,
}: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const hasFocus = useHasFocus(frame)
  const shown = useRef(onShown)
  useEffect(() => {
    shown.current = onShown
  })
  useEffect(() => {
    // The frame has no origin that could be named here; what it gets is the mail and nothing else.
    const hand = () =>
      frame.current?.contentWindow?.postMessage({ html, images, scheme, allowImages: allowRemoteImages }, '*')
    const listen = ({ source, data }: MessageEvent<Said>) => {
      if (source === null || source !== frame.current?.contentWindow) return
      if (data.kind === 'ready') hand()
      else shown.current?.(data)
    }
    addEventListener('message', listen)
    hand()
    return () => removeEventListener('message', listen)
  }, [html, images, scheme, allowRemoteImages])
  return (
    <iframe
      // With pictures the frame has another policy, and is another page.
      key={String(allowRemoteImages)}
      ref={frame}
      className={classes(styles.frame, hasFocus && styles.hasFocus)}
      title={title}
      src={allowRemoteImages ? '/mail-frame?images=1' : '/mail-frame'}
      sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
    />
  )
}

/** A frame that has the focus inside is not :focus for the page around it, which only sees that it lost the focus itself. */
function useHasFocus(frame: RefObject<HTMLIFrameElement | null>): boolean {
  const [hasFocus, setHasFocus] = useState(false)
  useEffect(() => {
    const look = () => requestAnimationFrame(() => setHasFocus(document.activeElement === frame.current))
    addEventListener('blur', look)
    addEventListener('focus', look)
    addEventListener('focusin', look)
    return () => {
      removeEventListener('blur', look)
      removeEventListener('focus', look)
      removeEventListener('focusin', look)
    }
  }, [frame])
  return hasFocus
}

type Said = { kind: 'ready' } | ({ kind: 'shown' } & MailContents)
