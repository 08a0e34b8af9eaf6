import { useSyncExternalStore } from 'react'

/** One clock for all times on the page: it ticks each second while a time is shown and the tab is seen. */
const watchers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = Date.now()

export const useNow = (everyMs = 1_000): number =>
  useSyncExternalStore(watch, () => Math.floor(now / everyMs) * everyMs)

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  timer ??= setInterval(tick, 1_000)
  return () => {
    watchers.delete(watcher)
    if (watchers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  if (document.hidden) return
  now = Date.now()
  for (const watcher of watchers) watcher()
}
