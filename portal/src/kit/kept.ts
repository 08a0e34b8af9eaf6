type Values = Readonly<Record<string, unknown>>

const PREFIX = 'unsaved '
const WRITER = 'unsaved-by'

/** What was typed into a form and not sent, kept by the tab until it is closed. */
export function readKept<V extends Values>(name: string | undefined, start: V): V | undefined {
  if (name === undefined) return undefined
  try {
    const kept = JSON.parse(sessionStorage.getItem(PREFIX + name) ?? 'null') as Partial<V> | null
    return kept === null ? undefined : { ...start, ...kept }
  } catch {
    return undefined
  }
}

export function keep(name: string | undefined, values: Values): void {
  if (name === undefined) return
  // Files cannot be written down; they are chosen again.
  const writable = Object.entries(values).filter(([, value]) => ![value].flat().some((one) => one instanceof Blob))
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(Object.fromEntries(writable)))
  } catch {
    // A full store keeps what it has; the form itself is not harmed.
  }
}

export function forgetKept(name: string | undefined): void {
  if (name !== undefined) sessionStorage.removeItem(PREFIX + name)
}

export function forgetAllKept(): void {
  const kept = Object.keys(sessionStorage).filter((name) => name.startsWith(PREFIX))
  for (const name of [...kept, WRITER]) sessionStorage.removeItem(name)
}

/** Kept text belongs to the person who typed it: it is forgotten before another person sees a page in this tab. */
export function keepFor(person: string): void {
  if (sessionStorage.getItem(WRITER) === person) return
  forgetAllKept()
  sessionStorage.setItem(WRITER, person)
}
