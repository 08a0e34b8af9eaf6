/** The forms of a plural; `#` stands for the number. A language has those that its rules know. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** Returns the sentence for a number: `counted('en', { one: '# email', other: '# emails' })(3)` is "3 emails". */
export function counted(language: string, forms: Forms): (count: number) => string {
  const rules = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  return (count) => (forms[rules.select(count)] ?? forms.other).replaceAll('#', numbers.format(count))
}

/** Returns "a, b and c". */
export const listed =
  (language: string) =>
  (things: readonly string[]): string =>
    new Intl.ListFormat(language, { type: 'conjunction' }).format(things)
