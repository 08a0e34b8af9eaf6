import { createHash } from 'node:crypto'

/** A Query is a statement with its values apart from its text. Only `sql` and `identifier` make one. */
export class Query<Row> {
  readonly text: string
  readonly values: readonly unknown[]
  /** This field exists only for the compiler: it is the type of a row of the answer. */
  declare readonly row: Row

  constructor(text: string, values: readonly unknown[]) {
    this.text = text
    this.values = values
  }
}

/**
 * Hand-written SQL with bound values: sql<Row>`select … where id = ${id}`. A query as a value is spliced in, with its
 * own values. The text of a template never changes, so every statement is prepared once per connection (see
 * `statementName`); building the text again for each call was the largest part of a small query's cost.
 */
export function sql<Row = Record<string, unknown>>(parts: TemplateStringsArray, ...values: unknown[]): Query<Row> {
  if (!values.some((value) => value instanceof Query)) {
    let text = plainTexts.get(parts)
    if (text === undefined) {
      text = parts.reduce((before, part, i) => `${before}$${i}${part}`)
      plainTexts.set(parts, text)
    }
    return new Query(text, values)
  }
  const bound: unknown[] = []
  let text = parts[0] ?? ''
  values.forEach((value, i) => {
    if (value instanceof Query) {
      text += value.text.replaceAll(/\$(\d+)/g, (_, n: string) => `$${bound.length + Number(n)}`)
      bound.push(...value.values)
    } else {
      text += `$${bound.push(value)}`
    }
    text += parts[i + 1]
  })
  return new Query(text, bound)
}

const plainTexts = new WeakMap<TemplateStringsArray, string>()

/** A table or column name that is known only at run time. */
export const identifier = (name: string): Query<never> => {
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) throw new Error(`not a name for a table or column: ${name}`)
  return new Query(`"${name}"`, [])
}

/** Texts come from templates in the source, so this stays as small as the source. */
const names = new Map<string, string>()

export function statementName(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha1').update(text).digest('base64url')
    names.set(text, name)
  }
  return name
}
