/** The addresses in a text that was pasted: one on each line, or with commas or semicolons between; each once. */
export const addressesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n\r,;]+/)
      .map((piece) => piece.trim())
      .filter((piece) => piece !== ''),
  ),
]
