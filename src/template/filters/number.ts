import { numberOf } from '../values.ts'
import { takes, type Signature } from './filter.ts'

/** A value that is no number counts as zero. There is one kind of number: 7 divided by 2 is 3.5, as in LiquidJS. */
export const numberFilters: Readonly<Record<string, Signature>> = {
  plus: withOne((a, b) => a + b),
  minus: withOne((a, b) => a - b),
  times: withOne((a, b) => a * b),
  divided_by: withOne((a, b) => a / b),
  // The sign of the divisor, as in Ruby, where JavaScript takes the dividend's.
  modulo: withOne((a, b) => ((a % b) + b) % b),
  at_least: withOne((a, b) => Math.max(a, b)),
  at_most: withOne((a, b) => Math.min(a, b)),
  abs: takes(0, 0, (input, _, { budget }) => Math.abs(numberOf(input, budget))),
  ceil: takes(0, 0, (input, _, { budget }) => Math.ceil(numberOf(input, budget))),
  floor: takes(0, 0, (input, _, { budget }) => Math.floor(numberOf(input, budget))),
  round: takes(0, 1, (input, [places], { budget }) => rounded(numberOf(input, budget), numberOf(places, budget))),
}

function withOne(calculate: (a: number, b: number) => number): Signature {
  return takes(1, 1, (input, [argument], { budget }) => calculate(numberOf(input, budget), numberOf(argument, budget)))
}

/** Rounding moves the decimal point in the digits: 1.005 × 100 would be 100.49999999999999 and round down. */
function rounded(value: number, places: number): number {
  const shifted = movePoint(Math.abs(value), places)
  if (!(shifted <= Number.MAX_SAFE_INTEGER)) return value
  return Math.sign(value) * movePoint(Math.round(shifted), -places)
}

function movePoint(value: number, places: number): number {
  const [digits = '0', exponent = '0'] = String(value).split('e')
  return Number(`${digits}e${Number(exponent) + places}`)
}
