import { useSyncExternalStore } from 'react'

/**
 * Dialogs, menus and comboboxes need a library that weighs as much as all other code of the first view. It is fetched when
 * the page is idle, or when the first of them is needed; until then their buttons are there and remember being pressed.
 */
type Widgets = typeof import('./widgets/widgets.tsx')

let widgets: Widgets | undefined
let loading: Promise<void> | undefined
const watchers = new Set<() => void>()

export const loadWidgets = (): Promise<void> => (loading ??= fetchWidgets())

async function fetchWidgets(): Promise<void> {
  try {
    widgets = await import('./widgets/widgets.tsx')
    for (const watcher of watchers) watcher()
  } catch (error) {
    // The next one who needs them tries again.
    loading = undefined
    throw error
  }
}

/** Undefined until they are there. */
export const useWidgets = (): Widgets | undefined => useSyncExternalStore(watch, () => widgets)

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Fetches them once the browser has nothing else to do. */
export function loadWidgetsWhenIdle(): void {
  const load = (): void => void loadWidgets().catch(() => undefined)
  if ('requestIdleCallback' in globalThis) requestIdleCallback(load, { timeout: 2_000 })
  else setTimeout(load, 500)
}
