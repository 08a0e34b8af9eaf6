import type { MouseEvent, ReactNode } from 'react'
import { words } from '../words/words.ts'
import { classes } from './classes.ts'
import { Link, useGo } from './link.tsx'
import styles from './table.module.css'
import { Hidden } from './text.tsx'
import { TimesAreStops } from './time.tsx'
import { visibly } from './visible.ts'

export interface Column<Row> {
  name: string
  title: string
  cell: (row: Row) => ReactNode
  /** Numbers stand at the end of their column. */
  isNumber?: boolean
  /** No wider than what is in it. */
  isNarrow?: boolean
  /** Buttons: they are no content, and have no title on narrow screens. */
  isActions?: boolean
}

export interface Selection {
  ids: ReadonlySet<string>
  onChange: (ids: ReadonlySet<string>) => void
}

export interface TableProps<Row> {
  /** The name of the table, for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowId: (row: Row) => string
  /** Where a row leads; its first column is then a link, and a press anywhere on it follows it. */
  rowTo?: ((row: Row) => string) | undefined
  /** How a row is called in "Select …". */
  rowName?: ((row: Row) => string) | undefined
  selection?: Selection | undefined
  /** The row that is shown beside the table, and what shows another: a press of the mouse, or the focus of the keyboard. */
  chosen?: Chosen | undefined
  /** Nothing stands above it in its card. */
  isFirst?: boolean
}

export interface Chosen {
  id: string | undefined
  onChange: (id: string) => void
}

/**
 * A table as wide as its card. Below 720 px each row is a card. The roles are written out, because a table whose parts are
 * displayed as blocks is none for screen readers any more.
 */
export function Table<Row>({
  label,
  columns,
  rows,
  rowId,
  rowTo,
  rowName,
  selection,
  chosen,
  isFirst = false,
}: TableProps<Row>) {
  const press = useRowPress()
  const isAllSelected = selection !== undefined && rows.length > 0 && rows.every((row) => selection.ids.has(rowId(row)))
  const toggle = (id: string, isOn: boolean): void => {
    const ids = new Set(selection?.ids)
    if (isOn) ids.add(id)
    else ids.delete(id)
    selection?.onChange(ids)
  }
  return (
    <TimesAreStops value={false}>
      <div className={styles.place}>
        <div className={classes(styles.scroll, isFirst && styles.isFirst)}>
          <table className={styles.table} role="table" aria-label={label}>
            <thead role="rowgroup">
              <tr role="row">
                {selection !== undefined && (
                  <th role="columnheader" scope="col" className={styles.select} data-label={words.kit.list.selectAll}>
                    <Tick
                      label={words.kit.list.selectAll}
                      isOn={isAllSelected}
                      onChange={(isOn) => selection.onChange(new Set(isOn ? rows.map(rowId) : []))}
                    />
                  </th>
                )}
                {columns.map(({ name, title, isNumber, isNarrow, isActions }) => (
                  <th
                    key={name}
                    role="columnheader"
                    scope="col"
                    className={classes(isNumber && styles.number, (isNarrow || isActions) && styles.narrowColumn)}
                  >
                    {isActions ? <Hidden>{title}</Hidden> : title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody role="rowgroup" className={rowTo === undefined ? undefined : styles.pressable}>
              {rows.map((row) => {
                const id = rowId(row)
                const to = rowTo?.(row)
                const isSelected = selection?.ids.has(id)
                return (
                  // A press on the row is a convenience of the mouse; the link in its first column does the same for everybody.
                  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
                  <tr
                    key={id}
                    role="row"
                    data-selected={isSelected ?? (chosen && chosen.id === id)}
                    data-row={id}
                    aria-current={chosen?.id === id ? 'true' : undefined}
                    onFocus={chosen === undefined ? undefined : () => chosen.onChange(id)}
                    onClickCapture={
                      chosen === undefined ? undefined : (event) => choose(event, () => chosen.onChange(id))
                    }
                    tabIndex={to === undefined ? -1 : undefined}
                    onClick={to === undefined ? undefined : (event) => press(event, to)}
                  >
                    {selection !== undefined && (
                      <td role="cell" className={styles.select}>
                        <Tick
                          label={words.kit.list.select(rowName?.(row) ?? id)}
                          isOn={isSelected ?? false}
                          onChange={(isOn) => toggle(id, isOn)}
                        />
                      </td>
                    )}
                    {columns.map(({ name, title, cell, isNumber, isNarrow, isActions }, place) => (
                      <td
                        key={name}
                        role="cell"
                        data-label={title}
                        className={classes(
                          place === 0 && styles.main,
                          isNumber && styles.number,
                          isNarrow && styles.narrowColumn,
                          isActions && styles.actions,
                        )}
                      >
                        {place === 0 && to !== undefined ? (
                          <Link to={to} data-row-link>
                            {cell(row)}
                          </Link>
                        ) : (
                          <CellOf isActions={isActions} name={rowName?.(row)}>
                            {cell(row)}
                          </CellOf>
                        )}
                      </td>
                    ))}
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      </div>
    </TimesAreStops>
  )
}

const Tick = ({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) => (
  // The name is on the box itself; the label around it only makes it larger.
  // oxlint-disable-next-line jsx-a11y/label-has-associated-control
  <label>
    <input
      type="checkbox"
      aria-label={visibly(label)}
      checked={isOn}
      onChange={({ target }) => onChange(target.checked)}
    />
  </label>
)

/** A press of the mouse on a row chooses it. Enter on its link opens it, as does a press that asks for a new tab. */
function choose(event: MouseEvent<HTMLElement>, onChosen: () => void): void {
  if (event.detail === 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  if (event.target instanceof Element && event.target.closest('button, input, label') !== null) return
  event.preventDefault()
  // From here on the keys move.
  event.currentTarget.querySelector<HTMLElement>('[data-row-link]')?.focus()
  onChosen()
}

/** Follows the link of a row, unless the press was on something of its own or marked text. */
function useRowPress(): (event: MouseEvent<HTMLElement>, to: string) => void {
  const go = useGo()
  return (event, to) => {
    const isOwn =
      event.target instanceof Element && event.target.closest('a, button, input, label, select, summary') !== null
    if (isOwn || event.defaultPrevented || String(getSelection()) !== '') return
    if (event.metaKey || event.ctrlKey) window.open(to, '_blank', 'noopener')
    else go(to)
  }
}

interface CellOfProps {
  isActions: boolean | undefined
  /** How the row is called. */
  name: string | undefined
  children: ReactNode
}

/** Buttons of all rows have the same words: to those who hear them one by one it is said which row they belong to. */
const CellOf = ({ isActions, name, children }: CellOfProps) =>
  isActions ? (
    <div className={styles.doing} role="group" aria-label={name === undefined ? undefined : visibly(name)}>
      {children}
    </div>
  ) : (
    <div>{children}</div>
  )
