/** A template that a new project begins with. Its author can change everything about it. */
export interface Starter {
  /** What it is called in lists. */
  readonly name: string
  /** What a send can call it by, and how it is recognised when starters are restored. */
  readonly alias: string
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly variables: readonly StarterVariable[]
  /** Values to look at it with. */
  readonly sample: Readonly<Record<string, unknown>>
}

export interface StarterVariable {
  readonly name: string
  /** A send without it is refused. */
  readonly required: boolean
  /** What stands in for it when it is missing. */
  readonly fallback: string | null
}

export const needed = (name: string): StarterVariable => ({ name, required: true, fallback: null })

export const optional = (name: string, fallback: string | null = null): StarterVariable => ({
  name,
  required: false,
  fallback,
})
