/** A server lists its capabilities in its answer to EHLO (RFC 5321 §4.1.1.1). */
export interface Capabilities {
  pipelining: boolean
  startTls: boolean
  eightBit: boolean
  smtpUtf8: boolean
  /**
   * The limit is in octets; it is undefined when the server does not offer SIZE, or offers it without a limit (RFC
   * 1870).
   */
  size: number | undefined
  hasSize: boolean
  auth: ReadonlySet<string>
}

export const noCapabilities: Capabilities = {
  pipelining: false,
  startTls: false,
  eightBit: false,
  smtpUtf8: false,
  size: undefined,
  hasSize: false,
  auth: new Set(),
}

/** The lines of an answer to EHLO; the first is a greeting. */
export function parseCapabilities(lines: readonly string[]): Capabilities {
  const words = lines.slice(1).map((line) => line.trim().toUpperCase().split(/[ =]+/))
  const offer = (name: string): string[] | undefined => words.find(([first]) => first === name)
  const [, limit = ''] = offer('SIZE') ?? []
  return {
    pipelining: offer('PIPELINING') !== undefined,
    startTls: offer('STARTTLS') !== undefined,
    eightBit: offer('8BITMIME') !== undefined,
    smtpUtf8: offer('SMTPUTF8') !== undefined,
    size: /^[1-9]\d{0,15}$/.test(limit) ? Number(limit) : undefined,
    hasSize: offer('SIZE') !== undefined,
    // `AUTH=LOGIN` is how very old servers write it.
    auth: new Set(words.filter(([first]) => first === 'AUTH').flatMap(([, ...mechanisms]) => mechanisms)),
  }
}
