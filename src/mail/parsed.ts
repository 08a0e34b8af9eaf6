/**
 * The result of parsing: a value, or what is wrong, in words that continue "The field …". It is a value and not an
 * exception, so that a caller can parse several fields before it answers.
 */
export type Parsed<T> = { ok: true; value: T } | { ok: false; problem: string }

export const understood = <T>(value: T): Parsed<T> => ({ ok: true, value })

export const refused = (problem: string): { ok: false; problem: string } => ({ ok: false, problem })
