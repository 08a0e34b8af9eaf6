import { QueryClientProvider, useQuery, type QueryClient } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './kit/tokens.css'
import './kit/base.css'
import { Failure } from './kit/empty.tsx'
import { loadWidgetsWhenIdle } from './kit/late.ts'
import { navigateBy } from './kit/link.tsx'
import { Skeleton } from './kit/skeleton.tsx'
import { Hidden } from './kit/text.tsx'
import { routes } from './routes.tsx'
import { newQueryClient } from './shell/queries.ts'
import { newRouter } from './shell/router.tsx'
import { sessionQuery } from './shell/session.ts'
import { watchSigningOut } from './shell/signed-out.ts'
import { words } from './words/words.ts'

const queries = newQueryClient()
const router = newRouter(routes)
navigateBy({
  go: (to, how) => void router.navigate({ href: to, replace: how?.replace ?? false }),
  // What cannot be fetched ahead is fetched, and reported, when the link is followed.
  preload: (path) => void router.preloadRoute({ to: path }).catch(() => undefined),
})

/** Nothing is shown before it is known who looks. */
function Application() {
  const session = useQuery(sessionQuery)
  if (session.data !== undefined) return <RouterProvider router={router} />
  const error = session.error ?? session.failureReason
  return (
    <main>
      <h1>
        <Hidden>{words.shell.product}</Hidden>
      </h1>
      {error === null ? (
        <Skeleton rows={3} />
      ) : (
        <Failure
          error={error}
          isTrying={!session.isError}
          onRetry={() => void session.refetch({ cancelRefetch: true })}
        />
      )}
    </main>
  )
}

function start(element: HTMLElement, client: QueryClient): void {
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <Application />
      </QueryClientProvider>
    </StrictMode>,
  )
}

// A tab that was open before an upgrade asks for files that are gone: it reloads itself, once.
addEventListener('vite:preloadError', (event) => {
  if (sessionStorage.getItem('reloaded') === document.lastModified) return
  sessionStorage.setItem('reloaded', document.lastModified)
  event.preventDefault()
  globalThis.location.reload()
})

watchSigningOut()
const root = document.getElementById('root')
if (root !== null) start(root, queries)
// The code of the first page is fetched while the session is being asked for.
void router.load()
loadWidgetsWhenIdle()
