import { useMatch, useRouterState } from '@tanstack/react-router'
import { useGo } from './link.tsx'

/** How a parameter of an address is read and written; undefined for what means nothing. */
export interface Parameter<T> {
  read(values: readonly string[]): T | undefined
  write(value: T): readonly string[]
}

/** The parameters that a page knows, by name. */
export type Search = Readonly<Record<string, Parameter<unknown>>>

/** A change of some parameters; undefined takes one away. */
export type Changed<S extends Search> = { [Name in keyof S]?: Found<S>[Name] | undefined }

/** What stands in the address, as far as it means something. */
export type Found<S extends Search> = { [Name in keyof S]?: S[Name] extends Parameter<infer T> ? T : never }

const MAX_TEXT_LENGTH = 320

export const text = (): Parameter<string> => ({
  read: ([value]) => (value === undefined || value === '' || value.length > MAX_TEXT_LENGTH ? undefined : value),
  write: (value) => (value === '' ? [] : [value]),
})

export const oneOf = <const O extends readonly string[]>(options: O): Parameter<O[number]> => ({
  read: ([value]) => options.find((option) => option === value),
  write: (value) => [value],
})

/** Several of these; the parameter then stands in the address several times. */
export const someOf = <const O extends readonly string[]>(options: O): Parameter<O[number][]> => ({
  read: (values) => {
    const known = options.filter((option) => values.includes(option))
    return known.length === 0 || values.some((value) => !options.includes(value)) ? undefined : known
  },
  write: (value) => value,
})

/** A moment as `2026-11-17T10:42:00Z`. */
export const moment = (): Parameter<string> => ({
  read: ([value]) => (value === undefined || Number.isNaN(Date.parse(value)) ? undefined : value),
  write: (value) => (value === '' ? [] : [value]),
})

/** Raw parameters, as the router holds them. */
export type RawSearch = Readonly<Record<string, string | readonly string[]>>

/** Parameters are plain words in the address: `?status=bounced&status=failed`. */
export function parseSearch(query: string): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {}
  const parameters = new URLSearchParams(query)
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name)
    found[name] = values.length === 1 ? (values[0] ?? '') : values
  }
  return found
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) parameters.append(name, String(one))
    }
  }
  const query = parameters.toString()
  return query === '' ? '' : `?${query}`
}

/** What a page's parameters say, and the names of those that mean nothing. */
export function readSearch<S extends Search>(search: S, raw: RawSearch): { found: Found<S>; dropped: string[] } {
  const found: Record<string, unknown> = {}
  const dropped: string[] = []
  for (const [name, value] of Object.entries(raw)) {
    const read = search[name]?.read(typeof value === 'string' ? [value] : value)
    if (read === undefined) dropped.push(name)
    else found[name] = read
  }
  return { found: found as Found<S>, dropped }
}

export interface Address {
  path: string
  raw: RawSearch
  /** The present address with some parameters changed; undefined takes one away. */
  with: (change: Readonly<Record<string, string | readonly string[] | undefined>>) => string
}

/** The address of the page that asks. While another page is being fetched, that is not yet the one in the browser's bar. */
export function useAddress(): Address {
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname })
  const raw = useMatch({ strict: false, select: ({ search }) => search as RawSearch })
  return { path, raw, with: (change) => path + stringifySearch({ ...raw, ...change }) }
}

/** The path in the browser's bar, for what is around all pages. */
export const usePath = (): string => useRouterState({ select: ({ location }) => location.pathname })

/** The parameters of this page, and the function that changes some of them in the address. */
export function useSearch<S extends Search>(
  search: S,
): [found: Found<S>, change: (change: Changed<S>, how?: { replace?: boolean }) => void] {
  const address = useAddress()
  const go = useGo()
  const { found } = readSearch(search, address.raw)
  return [
    found,
    (change, how) => {
      const written = Object.entries(change).map(([name, value]) => [
        name,
        value === undefined ? undefined : search[name]?.write(value),
      ])
      go(address.with(Object.fromEntries(written)), { replace: how?.replace ?? true })
    },
  ]
}
