/** What a clock on the wall of a zone shows at a moment, as `<input type="datetime-local">` writes it. */
export function wallTime(at: Date, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA-u-hc-h23', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`
}

/**
 * The moment at which a clock on the wall of the zone shows this. An hour that is skipped in spring becomes the one after
 * it; of an hour that comes twice in autumn it is the first. Undefined for what is no time.
 */
export function momentOf(wall: string, zone: string): Date | undefined {
  const asUtc = Date.parse(`${wall}Z`)
  if (Number.isNaN(asUtc)) return undefined
  // The offset at the guess can differ from that at the answer, so both sides of a change are tried.
  const candidates = [-1, 0, 1].map((days) => asUtc - offsetAt(asUtc + days * 86_400_000, zone))
  const exact = candidates.filter((ms) => wallTime(new Date(ms), zone) === wall)
  return new Date(exact.length > 0 ? Math.min(...exact) : Math.max(...candidates))
}

const offsetAt = (ms: number, zone: string): number =>
  Date.parse(`${wallTime(new Date(ms), zone)}Z`) - Math.floor(ms / 60_000) * 60_000

export const knownZones = (): readonly string[] => Intl.supportedValuesOf('timeZone')
