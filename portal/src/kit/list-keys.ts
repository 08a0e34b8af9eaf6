import { useEffect, type RefObject } from 'react'
import { useKeys } from './keys.ts'
import { rememberTrail } from './trail.ts'

/**
 * `j` and `k` or the arrows move the focus from row to row, Enter opens because the focus is on the row's link, `x`
 * selects. The addresses of the rows are remembered, so that `[` and `]` work on the pages behind them.
 */
export function useListKeys(
  box: RefObject<HTMLElement | null>,
  addresses: readonly string[] | undefined,
  onSelect: (id: string) => void,
): void {
  const move = (by: number): false | void => {
    const rows = rowsIn(box.current)
    if (rows.length === 0 || isInAnotherList(box.current)) return false
    const place = rows.findIndex((row) => row.contains(document.activeElement))
    const row = rows[place === -1 ? (by > 0 ? 0 : rows.length - 1) : place + by]
    focusRow(row)
  }
  const select = (): false | void => {
    const row = rowsIn(box.current).find((one) => one.contains(document.activeElement))
    if (row === undefined) return false
    if (row.dataset['row'] !== undefined && row.querySelector('input[type="checkbox"]') !== null)
      onSelect(row.dataset['row'])
  }
  const isOnRow = (): boolean => rowsIn(box.current).some((row) => row.contains(document.activeElement))
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    // Elsewhere on the page the arrows scroll.
    ArrowDown: () => (isOnRow() ? move(1) : false),
    ArrowUp: () => (isOnRow() ? move(-1) : false),
    x: select,
  })
  useEffect(() => {
    if (addresses !== undefined) rememberTrail(addresses)
  }, [addresses])
}

/** A page can have several lists: the one with the focus has the keys. */
const isInAnotherList = (box: HTMLElement | null): boolean => {
  const row = document.activeElement?.closest('tr[data-row]')
  return row !== null && row !== undefined && !(box?.contains(row) ?? false)
}

const rowsIn = (box: HTMLElement | null): HTMLElement[] => [
  ...(box?.querySelectorAll<HTMLElement>('tr[data-row]') ?? []),
]

function focusRow(row: HTMLElement | undefined): void {
  const target = row?.querySelector<HTMLElement>('[data-row-link]') ?? row
  target?.focus()
  row?.scrollIntoView({ block: 'nearest' })
}
