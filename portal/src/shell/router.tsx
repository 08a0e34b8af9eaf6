import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  useParams,
  type ErrorComponentProps,
  type RouteComponent,
} from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { parseSearch, readSearch, stringifySearch, useAddress, type Search } from '../kit/address.ts'
import { Button, LinkButton } from '../kit/button.tsx'
import { Empty, NotForYou } from '../kit/empty.tsx'
import { useGo } from '../kit/link.tsx'
import { Notice } from '../kit/notice.tsx'
import { PageBody, PageHead } from '../kit/page.tsx'
import { problemOf } from '../kit/problem.ts'
import { Skeleton } from '../kit/skeleton.tsx'
import { words } from '../words/words.ts'
import { FindId, NotFoundPage } from './find-id.tsx'
import { Frame } from './frame.tsx'
import { usePageExists, useMaySee, type Access } from './pages.ts'
import { lastProject, useMaybeProject, useSession } from './session.ts'
import { to } from './to.ts'

/** One row of `routes.tsx`. */
export interface PageRow {
  /** As the router writes it: `/p/$projectId/emails/$emailId`. */
  path: string
  page: () => Promise<{ Page: () => ReactNode }>
  /** The parameters of the query that the page knows; others are left out, with a word. */
  search?: Search
  scope: Access
}

/** Makes the router of a table of pages. */
export function newRouter(rows: readonly PageRow[]) {
  const root = createRootRoute({ component: Frame, notFoundComponent: NotFoundPage, errorComponent: Defect })
  const home = createRoute({ getParentRoute: () => root, path: '/', component: Home })
  const thing = createRoute({ getParentRoute: () => root, path: '/$thing', component: FindId })
  const pages = rows.map((row) => createRoute({ getParentRoute: () => root, path: row.path, component: gated(row) }))
  return createRouter({
    routeTree: root.addChildren([home, thing, ...pages]),
    parseSearch,
    stringifySearch,
    defaultErrorComponent: Defect,
    defaultPendingComponent: Loading,
    defaultPendingMs: 150,
    scrollRestoration: true,
  })
}

/** A page behind its conditions: a project that the person can see, and what they may see in it. */
function gated({ page, search = {}, scope, path }: PageRow): RouteComponent {
  const Page = lazyRouteComponent(page, 'Page')
  const isInProject = path.startsWith('/p/$projectId')
  const Gated = () => {
    const project = useMaybeProject()
    const maySee = useMaySee()
    const parameters: Readonly<Record<string, string>> = useParams({ strict: false })
    const { lacksSecondFactor } = useSession()
    if (lacksSecondFactor && path !== to.me()) return <LeadTo address={to.me()} />
    if (isInProject && project === undefined) return <NotFoundPage />
    if (!maySee(scope)) return <NoAccess scope={scope} />
    return (
      <>
        <Dropped search={search} />
        {/* What a page shows and holds, such as an open dialog, is about one project and one thing. */}
        <Page key={Object.values(parameters).join(' ')} />
      </>
    )
  }
  // The router fetches the code of a page when somebody is about to follow a link to it.
  return Object.assign(Gated, { preload: async () => Page.preload?.() })
}

/** A person who lacks the second factor that the workspace asks for can do nothing before adding one. */
function LeadTo({ address }: { address: string }) {
  const go = useGo()
  useEffect(() => go(address, { replace: true }), [address, go])
  return null
}

const NoAccess = ({ scope }: { scope: Access }) => (
  <PageBody>
    <PageHead title={words.kit.notForYou.title} />
    <NotForYou scope={scope.includes(':') ? scope : undefined} />
  </PageBody>
)

/** Says which parameters of the address mean nothing. */
function Dropped({ search }: { search: Search }) {
  const { raw } = useAddress()
  const { dropped } = readSearch(search, raw)
  if (dropped.length === 0) return null
  return (
    <Notice isBanner tone="none" role="status">
      {words.kit.dropped(dropped.join(', '))}
    </Notice>
  )
}

/** `/` leads to the overview of the project that was looked at last. */
function Home() {
  const session = useSession()
  const go = useGo()
  const exists = usePageExists()
  const project = lastProject(session)
  useEffect(() => {
    if (project !== undefined) go(to.overview(project), { replace: true })
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [project])
  if (project !== undefined) return null
  return (
    <PageBody>
      <PageHead title={words.shell.noProject.title} />
      <Empty
        title={words.shell.noProject.title}
        sentence={words.shell.noProject.sentence}
        action={exists(to.projects()) && <LinkButton to={to.projects()}>{words.shell.noProject.create}</LinkButton>}
      />
    </PageBody>
  )
}

const Loading = () => (
  <PageBody>
    <Skeleton isTall rows={9} />
  </PageBody>
)

/** A mistake of ours. What was typed is lost with the page, so it is not reloaded by itself. */
function Defect({ error }: ErrorComponentProps) {
  return (
    <PageBody>
      <Empty
        icon="problem"
        title={words.shell.failed.title}
        sentence={`${words.shell.failed.sentence} ${problemOf(error).error}`}
        action={
          <Button icon="refresh" onClick={() => globalThis.location.reload()}>
            {words.shell.failed.reload}
          </Button>
        }
      />
    </PageBody>
  )
}
