import { useSyncExternalStore } from 'react'

/** Asks the person to confirm that it is them. One question at a time; whoever asks meanwhile waits for the same answer. */
interface Question {
  ways: readonly string[]
  answer: (isConfirmed: boolean) => void
}

let question: Question | undefined
let pending: Promise<boolean> | undefined
const watchers = new Set<() => void>()

/** True once the person has confirmed, false when they would rather not. */
export function confirmPerson(ways: readonly string[]): Promise<boolean> {
  pending ??= new Promise((resolve) => {
    change({
      ways,
      answer: (isConfirmed) => {
        pending = undefined
        change(undefined)
        resolve(isConfirmed)
      },
    })
  })
  return pending
}

function change(next: Question | undefined): void {
  question = next
  for (const watcher of watchers) watcher()
}

export const useQuestion = (): Question | undefined => useSyncExternalStore(watch, () => question)

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
