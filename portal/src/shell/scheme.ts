import { useSyncExternalStore } from 'react'

/** The colours that the person wants; `system` follows the system. */
export type Scheme = 'system' | 'light' | 'dark'

export const schemes: readonly Scheme[] = ['system', 'light', 'dark']

const COOKIE = 'posthouse-scheme'
const YEAR_SECONDS = 31_536_000
const watchers = new Set<() => void>()

/** The server reads the cookie and writes the attribute before the first paint. */
export function setScheme(scheme: Scheme): void {
  const age = scheme === 'system' ? 0 : YEAR_SECONDS
  document.cookie = `${COOKIE}=${scheme}; path=/; max-age=${age}; samesite=lax`
  document.documentElement.dataset['scheme'] = scheme === 'system' ? '' : scheme
  for (const watcher of watchers) watcher()
}

export const useScheme = (): Scheme => useSyncExternalStore(watch, currentScheme)

function currentScheme(): Scheme {
  const chosen = document.documentElement.dataset['scheme']
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
