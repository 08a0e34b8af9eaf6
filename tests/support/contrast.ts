/** The colours of a style sheet by their names, in both schemes: `--ink: light-dark(#1b1f29, #e5e9f0)`. */
export function tokensIn(css: string): Map<string, { light: string; dark: string }> {
  const form = /--(?<name>[\w-]+):\s*light-dark\((?<light>#[0-9a-f]{6}),\s*(?<dark>#[0-9a-f]{6})\)/g
  return new Map(
    [...css.matchAll(form)].map(({ groups }) => {
      const { name = '', light = '', dark = '' } = groups ?? {}
      return [name, { light, dark }]
    }),
  )
}

/** WCAG 2.2: from 1 (the same) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
