/** Domains of which most people have their mail; a typing mistake is nearly always next to one of these. */
const wellKnown = [
  'gmail.com',
  'googlemail.com',
  'outlook.com',
  'hotmail.com',
  'hotmail.co.uk',
  'live.com',
  'msn.com',
  'yahoo.com',
  'yahoo.co.uk',
  'yahoo.fr',
  'ymail.com',
  'icloud.com',
  'me.com',
  'mac.com',
  'aol.com',
  'proton.me',
  'protonmail.com',
  'gmx.de',
  'gmx.net',
  'gmx.com',
  'web.de',
  't-online.de',
  'freenet.de',
  'mail.com',
  'mail.ru',
  'yandex.ru',
  'orange.fr',
  'wanadoo.fr',
  'free.fr',
  'laposte.net',
  'libero.it',
  'comcast.net',
  'verizon.net',
  'btinternet.com',
  'bluewin.ch',
  'hey.com',
  'fastmail.com',
] as const

const MAX_DISTANCE = 2

/** Everything is similar to a short name. */
const MIN_LENGTH = 8

/** The address that was probably meant; undefined for one whose domain looks right. */
export function respelled(address: string): string | undefined {
  const at = address.lastIndexOf('@')
  const domain = address
    .slice(at + 1)
    .replace(/>$/, '')
    .toLowerCase()
  if (at < 1 || wellKnown.some((known) => known === domain)) return undefined
  const [nearest] = wellKnown
    .filter((known) => known.length >= MIN_LENGTH)
    .map((known) => ({ known, distance: distanceBetween(domain, known) }))
    .filter(({ distance }) => distance <= MAX_DISTANCE)
    .toSorted((one, other) => one.distance - other.distance)
  return nearest === undefined
    ? undefined
    : address.slice(0, at + 1) + nearest.known + (address.endsWith('>') ? '>' : '')
}

/** How many letters are wrong, missing, added or swapped with their neighbour. */
function distanceBetween(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      next[column] = Math.min(
        at(last, column) + 1,
        at(next, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = next
  }
  return at(last, other.length)
}

const at = (numbers: readonly number[], place: number): number => numbers[place] ?? Number.POSITIVE_INFINITY
