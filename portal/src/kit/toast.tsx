import { useEffect, useSyncExternalStore } from 'react'
import { words } from '../words/words.ts'
import { Button, IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { Icon } from './icons.tsx'
import { problemOf } from './problem.ts'
import { Foreign } from './text.tsx'
import styles from './toast.module.css'

export interface Toast {
  text: string
  tone?: 'ok' | 'bad'
  /** What takes it back; the toast then stays for ten seconds. */
  undo?: () => void
}

type Placed = Toast & { id: number }

const STAYS_MS = 6_000
const UNDO_STAYS_MS = 10_000

let toasts: readonly Placed[] = []
let lastId = 0
const watchers = new Set<() => void>()

/** Says in the corner what has just happened. */
export function toast(said: Toast): void {
  change([...toasts, { ...said, id: ++lastId }].slice(-3))
}

/** Says in the corner what was refused, in the words of the API. */
export const toastProblem = (thrown: unknown): void => toast({ text: problemOf(thrown).error, tone: 'bad' })

function change(next: readonly Placed[]): void {
  toasts = next
  for (const watcher of watchers) watcher()
}

const close = (id: number): void => change(toasts.filter((one) => one.id !== id))

export function Toasts() {
  const shown = useSyncExternalStore(watch, () => toasts)
  return (
    <div className={styles.region} role="status" aria-live="polite">
      {shown.map((one) => (
        <OneToast key={one.id} toast={one} />
      ))}
    </div>
  )
}

function OneToast({ toast: { id, text, tone = 'ok', undo } }: { toast: Placed }) {
  useEffect(() => {
    const timer = setTimeout(close, undo === undefined ? STAYS_MS : UNDO_STAYS_MS, id)
    return () => clearTimeout(timer)
  }, [id, undo])
  return (
    <div className={classes(styles.toast, tone === 'bad' && styles.bad)}>
      <Icon name={tone === 'bad' ? 'problem' : 'done'} />
      <span className={styles.text}>
        <Foreign text={text} />
      </span>
      {undo !== undefined && (
        <Button
          isSmall
          onClick={() => {
            undo()
            close(id)
          }}
        >
          {words.kit.undo}
        </Button>
      )}
      <IconButton label={words.kit.close} icon="close" isSmall onClick={() => close(id)} />
    </div>
  )
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
