import { useQueryClient } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { actionsHere, type Action } from '../kit/actions.ts'
import { usePath } from '../kit/address.ts'
import { copyText } from '../kit/copy-button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { useKeys } from '../kit/keys.ts'
import { useGo } from '../kit/link.tsx'
import { useLostFocus } from '../kit/lost-focus.ts'
import { ACTIONS_BUTTON_ID, PageSurroundingsContext, type PageSurroundings } from '../kit/page.tsx'
import type { Problem } from '../kit/problem.ts'
import { WayOutContext } from '../kit/refusal.tsx'
import { Hidden } from '../kit/text.tsx'
import { TipLayer } from '../kit/tip.tsx'
import { toast, Toasts } from '../kit/toast.tsx'
import { neighbour } from '../kit/trail.ts'
import { words } from '../words/words.ts'
import { Banners } from './banners.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { CurlDialog } from './curl-dialog.tsx'
import styles from './frame.module.css'
import { Header, useSendAddress } from './header.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { useNavigation } from './pages.ts'
import { Palette } from './palette.tsx'
import { rememberProject, useMaybeProject } from './session.ts'
import { Sidebar } from './sidebar.tsx'
import { wayOutOf } from './ways-out.tsx'

type Floating = 'palette' | 'keys' | 'curl' | 'menu'

/** What is around every page: navigation, search, banners, keys, and the dialogs that belong to no page. */
export function Frame() {
  const [floating, setFloating] = useState<Floating>()
  const [announced, setAnnounced] = useState('')
  const close = (): void => setFloating(undefined)
  const project = useMaybeProject()
  const refreshAll = useRefresh()
  useFrameKeys(setFloating, refreshAll)
  useEffect(() => {
    if (project !== undefined) rememberProject(project.id)
  }, [project?.id])
  useLostFocus()

  const surroundings = useMemo((): PageSurroundings => {
    const everywhere: readonly Action[] = [
      { label: words.shell.here.copyLink, icon: 'link', run: copyLink },
      { label: words.shell.here.curl, icon: 'terminal', run: () => setFloating('curl') },
      { label: words.shell.here.refresh, icon: 'refresh', keys: 'r', run: refreshAll },
    ]
    return { actions: everywhere, titleEnd: [project?.name ?? '', words.shell.product], announce: setAnnounced }
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [project?.name])

  const wayOut = useCallback((problem: Problem) => wayOutOf(problem, project?.id), [project?.id])
  return (
    <PageSurroundingsContext value={surroundings}>
      <WayOutContext value={wayOut}>
        <a className={styles.skip} href="#content">
          {words.shell.skip}
        </a>
        <div className={styles.app}>
          <div className={styles.side}>
            <div className={styles.sideInner}>
              <Sidebar />
            </div>
          </div>
          <div className={styles.column}>
            <Hidden>
              <bdi role="status">{announced}</bdi>
            </Hidden>
            <Header onSearch={() => setFloating('palette')} onMenu={() => setFloating('menu')} />
            <main className={styles.main} id="content" tabIndex={-1}>
              <Banners />
              <Outlet />
            </main>
          </div>
        </div>
        <Dialog size="side" title={words.shell.menu} isOpen={floating === 'menu'} onClose={close}>
          <Sidebar onLeave={close} />
        </Dialog>
        <Palette isOpen={floating === 'palette'} onClose={close} onKeys={() => setFloating('keys')} />
        <KeysDialog isOpen={floating === 'keys'} onClose={close} />
        <CurlDialog isOpen={floating === 'curl'} onClose={close} />
        <ConfirmDialog />
        <Toasts />
        <TipLayer />
      </WayOutContext>
    </PageSurroundingsContext>
  )
}

const copyLink = async (): Promise<void> => {
  await copyText(globalThis.location.href)
  toast({ text: words.shell.here.copied })
}

function useRefresh(): () => void {
  const queries = useQueryClient()
  return () => void queries.invalidateQueries({ refetchType: 'active' })
}

function useFrameKeys(open: (floating: Floating) => void, onRefresh: () => void): void {
  const go = useGo()
  const path = usePath()
  const sendTo = useSendAddress()
  const goTo = Object.fromEntries(
    useNavigation()
      .flatMap(({ links }) => links)
      .flatMap(({ key, to }) => (key === undefined ? [] : [[`g ${key}`, () => go(to)]])),
  )
  const step = (by: 1 | -1): false | void => {
    const address = neighbour(path, by)
    return address === undefined ? false : go(address)
  }
  useKeys({
    ...goTo,
    'mod+k': () => open('palette'),
    '?': () => open('keys'),
    c: () => (sendTo === undefined ? false : go(sendTo)),
    n: () => runAction('n'),
    r: onRefresh,
    '.': () => document.getElementById(ACTIONS_BUTTON_ID)?.click(),
    '[': () => step(-1),
    ']': () => step(1),
    Escape: () => goUp(path, go),
  })
}

/** Does what the page offers under a key. */
function runAction(key: string): unknown {
  const action = actionsHere().find(({ keys, reason }) => keys === key && reason === undefined)
  return action?.run === undefined ? false : action.run()
}

/** From a thing to its list. */
function goUp(path: string, go: (to: string) => void): false | void {
  const parents = [...document.querySelectorAll<HTMLAnchorElement>(`main nav[aria-label="${words.kit.path}"] a`)]
  const parent = parents.at(-1)?.getAttribute('href')
  return parent === null || parent === undefined || parent === path ? false : go(parent)
}
