import { parseTemplate, type Context, type Template } from '../../mail/template/index.ts'

interface Bounds {
  entries: number
  /** Of all sources together. What is parsed takes up to seventy bytes for each of them. */
  characters: number
}

const defaultBounds: Bounds = { entries: 500, characters: 2 * 1024 * 1024 }

/** Parsing a page of HTML costs many times what filling it in does, so what was used last is kept parsed. */
export class ParsedParts {
  readonly #bounds: Bounds
  /** The one that was not used for the longest time comes first. */
  readonly #known = new Map<string, Template>()
  #characters = 0

  constructor(bounds: Bounds = defaultBounds) {
    this.#bounds = bounds
  }

  parse(source: string, context: Context): ReturnType<typeof parseTemplate> {
    const key = `${context}:${source}`
    const known = this.#known.get(key)
    if (known !== undefined) {
      this.#known.delete(key)
      this.#known.set(key, known)
      return { ok: true, template: known }
    }
    const parsed = parseTemplate(source, context)
    if (parsed.ok) this.#keep(key, parsed.template)
    return parsed
  }

  #keep(key: string, template: Template): void {
    this.#known.set(key, template)
    this.#characters += key.length
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= this.#bounds.entries && this.#characters <= this.#bounds.characters) break
      this.#known.delete(oldest)
      this.#characters -= oldest.length
    }
  }
}
