import { useRef, useState } from 'react'
import { words } from '../words/words.ts'
import { Button } from './button.tsx'
import { Confirm } from './dialog.tsx'
import type { IconName } from './icons.tsx'
import styles from './list.module.css'
import { problemOf } from './problem.ts'
import { Progress } from './skeleton.tsx'
import { Foreign, Quiet } from './text.tsx'

/** Something that is done to each selected row, one after the other. */
export interface SelectedAction<Row> {
  label: string
  icon?: IconName
  tone?: 'plain' | 'bad'
  run: (row: Row) => Promise<unknown>
  /** Asked before it begins, for what cannot be undone: a question with the number in it. */
  question?: (count: number) => string
  /** Rows for which it makes no sense are left out; the button names how many remain. */
  fits?: (row: Row) => boolean
}

const MAX_SELECTED = 1_000

interface SelectionBarProps<Row> {
  rows: readonly Row[]
  actions: readonly SelectedAction<Row>[]
  rowName: (row: Row) => string
  onDone: () => void
  onClear: () => void
}

interface Refused {
  name: string
  sentence: string
}

interface Work {
  label: string
  done: number
  of: number
  isOver: boolean
  refused: readonly Refused[]
}

/** What can be done with the selected rows, how far it is, and what was refused. */
export function SelectionBar<Row>({ rows, actions, rowName, onDone, onClear }: SelectionBarProps<Row>) {
  const [work, setWork] = useState<Work>()
  const [asked, setAsked] = useState<SelectedAction<Row>>()
  const isStopped = useRef(false)
  const fitting = (action: SelectedAction<Row>): readonly Row[] => rows.filter((row) => action.fits?.(row) ?? true)

  const run = async (action: SelectedAction<Row>): Promise<void> => {
    const todo = fitting(action)
    const refused: Refused[] = []
    let done = 0
    const show = (isOver: boolean): void =>
      setWork({ label: action.label, done, of: todo.length, isOver, refused: [...refused] })
    isStopped.current = false
    show(false)
    for (const row of todo) {
      if (isStopped.current) break
      await action.run(row).catch((error: unknown) => {
        refused.push({ name: rowName(row), sentence: problemOf(error).error })
      })
      done++
      show(false)
    }
    show(true)
    onDone()
  }

  if (work !== undefined)
    return <WorkBar work={work} onStop={() => (isStopped.current = true)} onClose={() => setWork(undefined)} />
  if (rows.length === 0) return null
  const fittingActions = actions.filter((action) => fitting(action).length > 0)
  return (
    <div className={styles.selected}>
      <span className={styles.selectedText} role="status">
        {words.kit.list.selected(rows.length)}
      </span>
      {fittingActions.map((action) => (
        <Button
          key={action.label}
          isSmall
          icon={action.icon}
          tone={action.tone}
          reason={rows.length > MAX_SELECTED ? words.kit.list.tooMany : undefined}
          onClick={() => (action.question === undefined ? void run(action) : setAsked(action))}
        >
          {fitting(action).length === rows.length ? action.label : `${action.label} (${fitting(action).length})`}
        </Button>
      ))}
      <Button isSmall tone="quiet" onClick={onClear}>
        {words.kit.list.unselect}
      </Button>
      <Confirm
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={asked?.question?.(fitting(asked).length) ?? ''}
        action={asked?.label ?? ''}
        tone={asked?.tone === 'bad' ? 'bad' : 'main'}
        onConfirm={() => {
          if (asked !== undefined) void run(asked)
        }}
      >
        {words.kit.list.oneByOne}
      </Confirm>
    </div>
  )
}

function WorkBar({ work, onStop, onClose }: { work: Work; onStop: () => void; onClose: () => void }) {
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
