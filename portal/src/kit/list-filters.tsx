import { useEffect, useRef, useState } from 'react'
import { words } from '../words/words.ts'
import type { Found, Search } from './address.ts'
import { Button, IconButton } from './button.tsx'
import { Checkboxes, Select, type Option } from './choice.tsx'
import { DateTime } from './date-time.tsx'
import { TextField } from './field.tsx'
import { shortTime } from './format.ts'
import { Icon } from './icons.tsx'
import { useKeys } from './keys.ts'
import styles from './list.module.css'
import { Popover } from './menu.tsx'
import { Foreign } from './text.tsx'

/** A filter of a list. Its name is a parameter of the address. */
export type Filter<Name extends string> =
  | { kind: 'text'; name: Name; label: string; placeholder?: string }
  | { kind: 'one'; name: Name; label: string; options: readonly Option<string>[] }
  | { kind: 'some'; name: Name; label: string; options: readonly Option<string>[] }
  | { kind: 'time'; name: Name; label: string }

/** What the field "Filter" looks for: a parameter of the API, or in the rows that are loaded. */
export type Find<Row, Name extends string> =
  | { parameter: Name; placeholder: string }
  | { in: (row: Row) => string; placeholder: string }

interface FiltersProps<S extends Search> {
  filters: readonly Filter<keyof S & string>[]
  found: Found<S>
  onChange: (change: Partial<Found<S>>) => void
}

interface FindFieldProps {
  placeholder: string
  value: string
  onChange: (value: string) => void
}

/** The key `/` leads here. What is typed counts after a moment of rest. */
export function FindField({ placeholder, value, onChange }: FindFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(onChange, 250, typed)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [typed])
  useKeys({ '/': () => input.current?.focus() })
  return (
    <div className={styles.search}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label={words.kit.list.filter}
        placeholder={placeholder}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onChange(typed)
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
      />
    </div>
  )
}

/** A button that opens all filters, and those in force beside it, each with a way to drop it. */
export function Filters<S extends Search>({ filters, found, onChange }: FiltersProps<S>) {
  const drop = (name: string): void => onChange({ [name]: undefined } as Partial<Found<S>>)
  return (
    <>
      <Popover title={words.kit.list.filters} button={<Button icon="filter">{words.kit.list.filters}</Button>}>
        <div className={styles.choices}>
          {filters.map((filter) => (
            <OneFilter
              key={filter.name}
              filter={filter}
              value={found[filter.name]}
              onChange={(value) => onChange({ [filter.name]: value } as Partial<Found<S>>)}
            />
          ))}
        </div>
      </Popover>
      {filters.map((filter) => {
        const text = textOf(filter, found[filter.name])
        return (
          text !== undefined && (
            <span className={styles.chosen} key={filter.name}>
              <span>
                {filter.label}: <Foreign text={text} />
              </span>
              <IconButton
                label={words.kit.list.drop(filter.label)}
                icon="close"
                isSmall
                onClick={() => drop(filter.name)}
              />
            </span>
          )
        )
      })}
    </>
  )
}

interface OneFilterProps {
  filter: Filter<string>
  value: unknown
  onChange: (value: string | readonly string[] | undefined) => void
}

function OneFilter({ filter, value, onChange }: OneFilterProps) {
  const text = typeof value === 'string' ? value : ''
  const { name, label } = filter
  if (filter.kind === 'some') {
    const chosen = Array.isArray(value) ? (value as string[]) : []
    const change = (next: readonly string[]): void => onChange(next.length === 0 ? undefined : next)
    return <Checkboxes label={label} name={name} value={chosen} options={filter.options} onChange={change} />
  }
  if (filter.kind === 'one') {
    const options = [{ value: '', label: words.kit.list.any }, ...filter.options]
    return (
      <Select
        label={label}
        name={name}
        value={text}
        options={options}
        onChange={(next) => onChange(next || undefined)}
      />
    )
  }
  if (filter.kind === 'time') {
    return <DateTime label={label} name={name} value={text} onChange={(next) => onChange(next || undefined)} />
  }
  return <TypedFilter label={label} name={name} value={text} placeholder={filter.placeholder} onChange={onChange} />
}

interface TypedFilterProps {
  label: string
  name: string
  value: string
  placeholder: string | undefined
  onChange: (value: string | undefined) => void
}

/** The list is not asked for every letter. */
function TypedFilter({ label, name, value, placeholder, onChange }: TypedFilterProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(onChange, 400, typed || undefined)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [typed])
  return <TextField label={label} name={name} value={typed} placeholder={placeholder} onChange={setTyped} />
}

/** A filter in force, in words; undefined for one that is not. */
export function textOf(filter: Filter<string>, value: unknown): string | undefined {
  if (value === undefined) return undefined
  const labelOf = (one: string): string =>
    filter.kind === 'one' || filter.kind === 'some'
      ? (filter.options.find((option) => option.value === one)?.label ?? one)
      : one
  if (Array.isArray(value)) return value.map(labelOf).join(', ')
  return filter.kind === 'time' ? shortTime(new Date(String(value))) : labelOf(String(value))
}
