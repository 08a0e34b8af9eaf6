import { useEffect, useSyncExternalStore } from 'react'
import type { IconName } from './icons.tsx'

/** Something that can be done on a page. It is a button in the head or an entry of its menu, and found by the palette. */
export interface Action {
  label: string
  /** Leads to an address … */
  to?: string
  /** … or does something. */
  run?: () => unknown
  icon?: IconName
  tone?: 'plain' | 'main' | 'bad'
  /** `menu` for what is seldom needed. */
  place?: 'button' | 'menu'
  keys?: string
  isBusy?: boolean
  /** Why it cannot be done now. */
  reason?: string | undefined
}

let actions: readonly Action[] = []
const watchers = new Set<() => void>()

/** Tells the palette and the keys what can be done here. */
export function useOfferedActions(offered: readonly Action[]): void {
  useEffect(() => {
    change(offered)
  })
  useEffect(() => () => change([]), [])
}

function change(next: readonly Action[]): void {
  actions = next
  for (const watcher of watchers) watcher()
}

export const useActionsHere = (): readonly Action[] => useSyncExternalStore(watch, () => actions)

export const actionsHere = (): readonly Action[] => actions

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
