import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/**
 * Libraries are in files of their own, named by what they are: a change of a page leaves them as they are, in browsers'
 * caches as in the history of the repository.
 */
const libraries: Readonly<Record<string, RegExp>> = {
  react: /node_modules\/(react|react-dom|scheduler|use-sync-external-store)\//,
  tanstack: /node_modules\/@tanstack\//,
  widgets: /node_modules\/(@base-ui|@floating-ui|tabbable|reselect)\//,
  codemirror: /node_modules\/(@codemirror|@lezer|style-mod|w3c-keyname|crelt)\//,
  uplot: /node_modules\/uplot\//,
}

/** Where the server of `npm start` answers, for `npm run dev:portal`. */
const server = process.env['POSTHOUSE_URL'] ?? 'http://localhost:3000'

/** While developing, too, the way in is a page of its own. */
const wayIn: Plugin = {
  name: 'way-in',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _response, next) => {
      if (/^\/(sign-in|setup|invitation|recover)(\?|$)/.test(request.url ?? '')) request.url = '/door.html'
      next()
    })
  },
}

export default defineConfig({
  root: here('.'),
  base: '/',
  publicDir: false,
  plugins: [react(), wayIn],
  build: {
    outDir: here('dist'),
    emptyOutDir: true,
    // These know nesting, `light-dark()` and container queries: nothing is rewritten for older ones.
    target: ['chrome125', 'edge125', 'firefox128', 'safari17.5'],
    manifest: true,
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      input: { main: here('index.html'), door: here('door.html') },
      output: {
        codeSplitting: {
          groups: Object.entries(libraries).map(([name, test]) => ({ name, test })),
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/api', '/session', '/mail-frame', '/openapi.json', '/docs'].map((path) => [path, { target: server }]),
    ),
  },
})
