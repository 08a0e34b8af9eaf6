import { useState } from 'react'
import { words } from '../words/words.ts'
import { Button } from './button.tsx'
import { Confirm } from './dialog.tsx'
import type { IconName } from './icons.tsx'
import styles from './list.module.css'
import { MAX_AT_ONCE, useWork, WorkBar } from './work.tsx'

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

interface SelectionBarProps<Row> {
  rows: readonly Row[]
  actions: readonly SelectedAction<Row>[]
  rowName: (row: Row) => string
  onDone: () => void
  onClear: () => void
}

/** What can be done with the selected rows, how far it is, and what was refused. */
export function SelectionBar<Row>({ rows, actions, rowName, onDone, onClear }: SelectionBarProps<Row>) {
  const { work, run: runAll, stop, close } = useWork()
  const [asked, setAsked] = useState<SelectedAction<Row>>()
  const fitting = (action: SelectedAction<Row>): readonly Row[] => rows.filter((row) => action.fits?.(row) ?? true)
  const run = async (action: SelectedAction<Row>): Promise<void> => {
    await runAll({ label: action.label, items: fitting(action), nameOf: rowName, act: action.run })
    onDone()
  }

  if (work !== undefined) return <WorkBar work={work} onStop={stop} onClose={close} />
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
          reason={rows.length > MAX_AT_ONCE ? words.kit.list.tooMany : undefined}
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
