/** Money in millionths of the currency. Computed in whole numbers; on the wire, where it is below 2^53, a number. */
export type Micros = bigint

const MICROS = 6

/** What an operator writes (`25.00`), exactly; undefined for what is no such amount. */
export function parseAmount(text: string): Micros | undefined {
  const [, sign = '', whole, fraction = ''] = /^(-?)(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  return BigInt(`${sign}${whole}${fraction.padEnd(MICROS, '0')}`)
}

export const formatAmount = (micros: Micros): string => {
  const digits = (micros < 0n ? -micros : micros).toString().padStart(MICROS + 1, '0')
  const fraction = digits.slice(-MICROS).replace(/0{1,4}$/, '')
  return `${micros < 0n ? '-' : ''}${digits.slice(0, -MICROS)}.${fraction}`
}
