import { useRef, useState } from 'react'
import { words } from '../words/words.ts'
import { Button } from './button.tsx'
import styles from './list.module.css'
import { problemOf } from './problem.ts'
import { Progress } from './skeleton.tsx'
import { Foreign, Quiet } from './text.tsx'

/** What people may ask to have done in one go. */
export const MAX_AT_ONCE = 1_000

interface Refused {
  name: string
  sentence: string
}

export interface Work {
  label: string
  done: number
  of: number
  isOver: boolean
  refused: readonly Refused[]
}

export interface Todo<Item> {
  label: string
  items: readonly Item[]
  nameOf: (item: Item) => string
  act: (item: Item) => Promise<unknown>
}

/** Does the same to many things, one after the other. What is refused does not stop the rest. */
export function useWork() {
  const [work, setWork] = useState<Work>()
  const isStopped = useRef(false)
  const run = async <Item,>({ label, items, nameOf, act }: Todo<Item>): Promise<Work> => {
    const refused: Refused[] = []
    let done = 0
    const show = (isOver: boolean): Work => {
      const now = { label, done, of: items.length, isOver, refused: [...refused] }
      setWork(now)
      return now
    }
    isStopped.current = false
    show(false)
    for (const item of items) {
      if (isStopped.current) break
      await act(item).catch((error: unknown) => {
        refused.push({ name: nameOf(item), sentence: problemOf(error).error })
      })
      done++
      show(false)
    }
    return show(true)
  }
  const stop = (): void => {
    isStopped.current = true
  }
  return { work, run, stop, close: () => setWork(undefined) }
}

/** How far it is, a way to stop it, and what was refused and why. */
export function WorkBar({ work, onStop, onClose }: { work: Work; onStop: () => void; onClose: () => void }) {
  const { label, done, of, isOver, refused } = work
  return (
    <>
      <div className={styles.selected}>
        {isOver ? (
          <span role="status">{words.kit.list.finished(done - refused.length, refused.length)}</span>
        ) : (
          <Progress label={label} value={done} max={of} note={words.kit.list.working(done, of)} />
        )}
        <Button isSmall onClick={isOver ? onClose : onStop}>
          {isOver ? words.kit.close : words.kit.list.stop}
        </Button>
      </div>
      {refused.length > 0 && (
        <details className={styles.refused} open>
          <summary>{words.kit.list.refusedTitle}</summary>
          <ul>
            {refused.map(({ name, sentence }, place) => (
              <li key={place}>
                <Foreign text={name} /> <Quiet>{sentence}</Quiet>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
