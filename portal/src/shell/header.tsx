import { useEffect, useState } from 'react'
import { Badge } from '../kit/badge.tsx'
import { Button, IconButton } from '../kit/button.tsx'
import { Icon } from '../kit/icons.tsx'
import { withModifier } from '../kit/keys.ts'
import { useGo } from '../kit/link.tsx'
import { Menu, type MenuGroup } from '../kit/menu.tsx'
import { Key } from '../kit/text.tsx'
import { toastProblem } from '../kit/toast.tsx'
import { words } from '../words/words.ts'
import { call } from './api.ts'
import styles from './frame.module.css'
import { useIsLive } from './live.ts'
import { usePageExists, useProjectOrLast } from './pages.ts'
import { schemes, setScheme, useScheme } from './scheme.ts'
import { useSession } from './session.ts'
import { leaveSignedOut } from './signed-out.ts'
import { to } from './to.ts'

interface HeaderProps {
  onSearch: () => void
  onMenu: () => void
}

/** Search, the one button that is always there, and the person's own menu. */
export function Header({ onSearch, onMenu }: HeaderProps) {
  const go = useGo()
  const sendTo = useSendAddress()
  return (
    <header className={styles.top}>
      <span className={styles.menuButton}>
        <IconButton label={words.shell.menu} icon="menu" tone="plain" onClick={onMenu} />
      </span>
      <button type="button" className={styles.find} onClick={onSearch} aria-keyshortcuts="Meta+K Control+K">
        <Icon name="search" />
        <span>{words.shell.search}</span>
        <span aria-hidden="true" className={styles.spacer} />
        <Key>
          <span aria-hidden="true">{withModifier('K')}</span>
        </Key>
      </button>
      <span className={styles.spacer} />
      <LiveBadge />
      {sendTo !== undefined && (
        <Button tone="main" keys="c" onClick={() => go(sendTo)}>
          {words.shell.sendAnEmail}
        </Button>
      )}
      <AccountMenu />
    </header>
  )
}

/** Whether the page changes by itself. Between two pages it stays as it was for a moment. */
function LiveBadge() {
  const isLive = useIsLive()
  const [shown, setShown] = useState(isLive)
  useEffect(() => {
    if (isLive === true) setShown(true)
    const settled = setTimeout(() => setShown(isLive), LIVE_SETTLES_MS)
    return () => clearTimeout(settled)
  }, [isLive])
  if (isLive === undefined || shown === undefined) return null
  const said = words.shell.live
  return (
    <span className={styles.live} data-tip={shown ? said.atOnceTip : said.asksTip}>
      <Badge tone={shown ? 'ok' : 'none'}>{shown ? said.atOnce : said.asks}</Badge>
    </span>
  )
}

const LIVE_SETTLES_MS = 4_000

/** Where an email is written; undefined for those who may not send, and while there is no such page. */
export function useSendAddress(): string | undefined {
  const project = useProjectOrLast()
  const exists = usePageExists()
  const maySend = project?.maySend === true && project.can('email:send') && project.status === 'active'
  return maySend && exists('/p/$projectId/send') ? to.send(project.id) : undefined
}

function AccountMenu() {
  const { person, workspace } = useSession()
  const scheme = useScheme()
  const exists = usePageExists()
  const account = exists('/me') ? [{ label: words.shell.pages.me, icon: 'person' as const, to: to.me() }] : []
  const groups: MenuGroup[] = [
    { title: `${person.name} · ${workspace.name}`, entries: account },
    {
      title: words.shell.colours.title,
      entries: schemes.map((one) => ({
        label: words.shell.colours[one],
        isChosen: one === scheme,
        run: () => setScheme(one),
      })),
    },
    { entries: [{ label: words.shell.signOut, icon: 'signOut', run: signOut }] },
  ]
  return (
    <Menu
      groups={groups.filter(({ entries }) => entries.length > 0)}
      button={
        <Button>
          <span className={styles.accountIcon}>
            <Icon name="person" />
          </span>
          <span className={styles.accountWord}>{words.shell.account}</span>
        </Button>
      }
    />
  )
}

/** Ends the session, and leaves nothing of it in any tab. */
const signOut = (): Promise<void> => call('DELETE /session').then(leaveSignedOut, toastProblem)
