export interface DifferentPiece {
  text: string
  isDifferent: boolean
}

/** Where a text differs from another one: what both have at their beginnings and their ends is the same. */
export function differenceOf(text: string, other: string): DifferentPiece[] {
  const [ours, theirs] = [[...text], [...other]]
  const most = Math.min(ours.length, theirs.length)
  let start = 0
  while (start < most && ours[start] === theirs[start]) start++
  let end = 0
  while (end < most - start && ours.at(-1 - end) === theirs.at(-1 - end)) end++
  const pieces = [
    { text: ours.slice(0, start).join(''), isDifferent: false },
    { text: ours.slice(start, ours.length - end).join(''), isDifferent: true },
    { text: ours.slice(ours.length - end).join(''), isDifferent: false },
  ]
  return pieces.filter((piece) => piece.text !== '')
}
