/**
 * What somebody wrote, understood; or what is wrong with it, in words that continue "The field …". Several fields can
 * be read before anybody is told, so this is a value and not an exception.
 */
export type Parsed<T> = { ok: true; value: T } | { ok: false; problem: string }

export const understood = <T>(value: T): Parsed<T> => ({ ok: true, value })

export const refused = (problem: string): { ok: false; problem: string } => ({ ok: false, problem })
