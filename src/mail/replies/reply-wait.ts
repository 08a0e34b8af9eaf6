/**
 * Returns how many milliseconds a server asks us to wait (`greylisted, try again in 5 minutes`); undefined if it does
 * not say.
 */
export function waitAskedFor(text: string): number | undefined {
  const [, hours, minutes, seconds] = clock.exec(text) ?? []
  if (hours !== undefined) return (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000
  const [, first, firstUnit, second, secondUnit] = span.exec(text) ?? []
  if (first === undefined || firstUnit === undefined) return undefined
  return milliseconds(first, firstUnit) + (second && secondUnit ? milliseconds(second, secondUnit) : 0)
}

/** A number counts only behind a word that speaks of trying again; a reply has many other numbers. */
const lead = String.raw`\b(?:try(?:ing)?|retry(?:ing)?|again|wait|come back|resubmit|resend|grey ?list\w*|gray ?list\w*|deferred|delayed|blocked|suspended)\b`
const clock = new RegExp(String.raw`${lead}[^\d]{0,60}(\d{1,2}):(\d{2}):(\d{2})(?![\d:])`, 'i')
const unit = String.raw`(seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h)\b`
const span = new RegExp(String.raw`${lead}[^\d]{0,60}(\d{1,5}) ?${unit}(?:,? (?:and )?(\d{1,2}) ?${unit})?`, 'i')

function milliseconds(amount: string, unitName: string): number {
  const letter = unitName[0]?.toLowerCase()
  return Number(amount) * (letter === 'h' ? 3_600_000 : letter === 'm' ? 60_000 : 1_000)
}
