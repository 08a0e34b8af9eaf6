import type { PageRow } from './shell/router.tsx'

/** Every page: its address, its code, the parameters that it reads from the address, and who may see it. */
export const routes: readonly PageRow[] = [
  { path: '/p/$projectId/overview', page: () => import('./pages/overview/overview.tsx'), scope: 'anybody' },
]
