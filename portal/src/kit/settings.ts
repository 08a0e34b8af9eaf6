import { useSyncExternalStore } from 'react'

/** How this person wants times and numbers written. */
export interface Settings {
  /** Undefined follows the browser. */
  locale: string | undefined
  timeZone: string
  /** Whether single letters act as keys outside of fields. */
  singleKeys: boolean
}

let settings: Settings = {
  locale: undefined,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  singleKeys: true,
}
const watchers = new Set<() => void>()

export const currentSettings = (): Settings => settings

export function changeSettings(change: Partial<Settings>): void {
  settings = { ...settings, ...change }
  for (const watcher of watchers) watcher()
}

export const useSettings = (): Settings => useSyncExternalStore(watch, currentSettings)

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
