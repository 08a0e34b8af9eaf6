import { parseTemplate } from './parse.ts'
import type { Context, Template } from './syntax.ts'

interface Bounds {
  entries: number
  /** All sources together may have this many characters. Parsed, each takes up to seventy bytes. */
  characters: number
}

const defaultBounds: Bounds = { entries: 500, characters: 1024 * 1024 }

/** Parsing a page of HTML costs many times what filling it in does, so what was used last is kept parsed. */
export class ParsedParts {
  readonly #context: Context
  readonly #bounds: Bounds
  /** The keys are sources. The one that was not used for the longest time comes first. */
  readonly #known = new Map<string, Template>()
  #characters = 0

  constructor(context: Context, bounds: Bounds = defaultBounds) {
    this.#context = context
    this.#bounds = bounds
  }

  /** Tells whether the source is parsed already. */
  has(source: string): boolean {
    return this.#known.has(source)
  }

  parse(source: string): ReturnType<typeof parseTemplate> {
    const known = this.#known.get(source)
    if (known !== undefined) {
      this.#known.delete(source)
      this.#known.set(source, known)
      return { ok: true, template: known }
    }
    const parsed = parseTemplate(source, this.#context)
    if (parsed.ok) this.#keep(source, parsed.template)
    return parsed
  }

  #keep(source: string, template: Template): void {
    this.#known.set(source, template)
    this.#characters += source.length
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= this.#bounds.entries && this.#characters <= this.#bounds.characters) break
      this.#known.delete(oldest)
      this.#characters -= oldest.length
    }
  }
}
