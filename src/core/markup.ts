export type Part = Markup | string | false | undefined | readonly Part[]

/** HTML with its parts filled in. Markup goes in as it is, any other text escaped: forgetting to do so is impossible. */
export function markup(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  const render = (part: Part): string => {
    if (Array.isArray(part)) return part.map(render).join('')
    if (part instanceof Markup) return part.text
    return String(part || '').replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
  }
  return new Markup(String.raw({ raw: strings }, ...parts.map(render)))
}

export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
