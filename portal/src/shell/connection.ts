import { useSyncExternalStore } from 'react'

/** Whether the last call had an answer. The browser's own word is not asked: on localhost it is often wrong. */
let isLost = false
const watchers = new Set<() => void>()

export function noteAnswer(hadAnswer: boolean): void {
  if (isLost === !hadAnswer) return
  isLost = !hadAnswer
  for (const watcher of watchers) watcher()
}

export const useIsConnectionLost = (): boolean => useSyncExternalStore(watch, () => isLost)

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
