import { gallerySearch } from './kit/gallery/search.ts'
import { domainsSearch } from './pages/domains/search.ts'
import { emailSearch, emailsSearch } from './pages/emails/search.ts'
import { inboxSearch, receivedSearch } from './pages/inbox/search.ts'
import { webhookSearch } from './pages/webhooks/search.ts'
import { logSearch, projectLogSearch } from './pages/log/search.ts'
import { overviewSearch } from './pages/overview/search.ts'
import { peopleSearch } from './pages/people/search.ts'
import { projectsSearch } from './pages/projects/search.ts'
import { queueSearch } from './pages/queue/search.ts'
import { suppressionsSearch } from './pages/suppressions/search.ts'
import type { PageRow } from './shell/router.tsx'

/** Every page: its address, its code, the parameters that it reads from the address, and who may see it. */
export const routes: readonly PageRow[] = [
  {
    path: '/p/$projectId/overview',
    page: () => import('./pages/overview/overview.tsx'),
    search: overviewSearch,
    scope: 'anybody',
  },
  {
    path: '/p/$projectId/log',
    page: () => import('./pages/log/project.tsx'),
    search: projectLogSearch,
    scope: 'audit:read',
  },
  { path: '/settings', page: () => import('./pages/settings/workspace.tsx'), scope: 'anybody' },
  {
    path: '/settings/projects',
    page: () => import('./pages/projects/list.tsx'),
    search: projectsSearch,
    scope: 'projects:read',
  },
  {
    path: '/settings/people',
    page: () => import('./pages/people/list.tsx'),
    search: peopleSearch,
    scope: 'administrators',
  },
  {
    path: '/settings/installation',
    page: () => import('./pages/installation/installation.tsx'),
    scope: 'administrators',
  },
  { path: '/settings/log', page: () => import('./pages/log/workspace.tsx'), search: logSearch, scope: 'audit:read' },
  { path: '/me', page: () => import('./pages/me/me.tsx'), scope: 'anybody' },
  // What is served to people is built in the mode production, and has no gallery.
  ...(import.meta.env.MODE === 'production'
    ? []
    : ([
        { path: '/gallery', page: () => import('./kit/gallery/gallery.tsx'), search: gallerySearch, scope: 'anybody' },
      ] satisfies PageRow[])),
  {
    path: '/p/$projectId/emails',
    page: () => import('./pages/emails/list.tsx'),
    search: emailsSearch,
    scope: 'email:send',
  },
  {
    path: '/p/$projectId/emails/$emailId',
    page: () => import('./pages/emails/detail.tsx'),
    search: emailSearch,
    scope: 'email:send',
  },
  {
    path: '/p/$projectId/queue',
    page: () => import('./pages/queue/list.tsx'),
    search: queueSearch,
    scope: 'stats:read',
  },
  { path: '/p/$projectId/queue/$destination', page: () => import('./pages/queue/detail.tsx'), scope: 'stats:read' },
  {
    path: '/p/$projectId/addresses/$email',
    page: () => import('./pages/addresses/page.tsx'),
    scope: 'stats:read',
  },
  { path: '/p/$projectId/send', page: () => import('./pages/send/page.tsx'), scope: 'email:send' },
  {
    path: '/p/$projectId/inbox',
    page: () => import('./pages/inbox/list.tsx'),
    search: inboxSearch,
    scope: 'receiving:read',
  },
  { path: '/p/$projectId/inbox/domains', page: () => import('./pages/inbox/domains.tsx'), scope: 'receiving:write' },
  {
    path: '/p/$projectId/inbox/domains/$receivingDomainId',
    page: () => import('./pages/inbox/domain.tsx'),
    scope: 'receiving:write',
  },
  {
    path: '/p/$projectId/inbox/$receivedId',
    page: () => import('./pages/inbox/detail.tsx'),
    search: receivedSearch,
    scope: 'receiving:read',
  },
  { path: '/p/$projectId/webhooks', page: () => import('./pages/webhooks/list.tsx'), scope: 'webhooks:write' },
  {
    path: '/p/$projectId/webhooks/$webhookId',
    page: () => import('./pages/webhooks/detail.tsx'),
    search: webhookSearch,
    scope: 'webhooks:write',
  },
  {
    path: '/p/$projectId/webhooks/$webhookId/deliveries/$deliveryId',
    page: () => import('./pages/webhooks/delivery.tsx'),
    scope: 'webhooks:write',
  },
  {
    path: '/p/$projectId/domains',
    page: () => import('./pages/domains/list.tsx'),
    search: domainsSearch,
    scope: 'domains:read',
  },
  {
    path: '/p/$projectId/domains/$domainId',
    page: () => import('./pages/domains/detail.tsx'),
    scope: 'domains:read',
  },
  {
    path: '/p/$projectId/suppressions',
    page: () => import('./pages/suppressions/list.tsx'),
    search: suppressionsSearch,
    scope: 'suppressions:write',
  },
  { path: '/p/$projectId/keys', page: () => import('./pages/keys/list.tsx'), scope: 'api-keys:write' },
]
