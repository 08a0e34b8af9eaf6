import { gallerySearch } from './kit/gallery/search.ts'
import type { PageRow } from './shell/router.tsx'

/** Every page: its address, its code, the parameters that it reads from the address, and who may see it. */
export const routes: readonly PageRow[] = [
  { path: '/p/$projectId/overview', page: () => import('./pages/overview/overview.tsx'), scope: 'anybody' },
  // What is served to people is built in the mode production, and has no gallery.
  ...(import.meta.env.MODE === 'production'
    ? []
    : ([
        { path: '/gallery', page: () => import('./kit/gallery/gallery.tsx'), search: gallerySearch, scope: 'anybody' },
      ] satisfies PageRow[])),
]
