/** Parses phone numbers. A recipient is written in strict E.164 or refused; a number is never guessed. */
import type { PhoneNumber } from 'libphonenumber-js/max'

export type LineKind =
  | 'mobile'
  | 'fixed_line'
  /** Some numbers do not tell, as in all of North America. */
  | 'fixed_line_or_mobile'
  | 'voip'
  | 'toll_free'
  | 'premium_rate'
  | 'shared_cost'
  | 'personal_number'
  | 'pager'
  | 'uan'
  | 'voicemail'
  /** No range that is known. */
  | 'unknown'

export type PhoneReading =
  | {
      ok: true
      e164: string
      /**
       * The country is an ISO 3166 code found by the whole number: +1 876 is Jamaica. It is undefined where no country
       * has such numbers.
       */
      country: string | undefined
      callingCode: string
      line: LineKind
      /** Tells whether this kind of line receives messages. */
      takesSms: boolean
      /** Calling code and the last two digits. */
      masked: string
      /** Set for the numbers that exist for testing. */
      simulator: number | undefined
    }
  /** The suggestion is a number that may have been meant, for a person to look at. */
  | { ok: false; suggestion: string | undefined }

export async function readPhone(text: string): Promise<PhoneReading> {
  if (!isE164(text)) return { ok: false, suggestion: await suggestionFor(text) }
  const number = await parsed(text)
  // A calling code that does not exist.
  if (number === undefined) return { ok: false, suggestion: undefined }
  const line = lineOf(number)
  return {
    ok: true,
    e164: text,
    country: number.country,
    callingCode: number.countryCallingCode,
    line,
    takesSms: !linesWithoutSms.has(line),
    masked: masked(text, number.countryCallingCode),
    simulator: simulatorNumber(text),
  }
}

export const isE164 = (text: string): boolean => /^\+[1-9]\d{6,14}$/.test(text)

/**
 * Returns the last two digits of a number from +1 202 555 0100 to 0199, which are reserved for fiction; otherwise undefined.
 */
export function simulatorNumber(e164: string): number | undefined {
  const digits = /^\+120255501(\d\d)$/.exec(e164)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** The sender that every invited project has from the start. */
export const simulatorSender = '+12025550199'

/** These digits of a number are shown: they identify it to a person who knows it, and to no other. */
const masked = (e164: string, callingCode: string): string =>
  `+${callingCode}${'*'.repeat(Math.max(0, e164.length - 3 - callingCode.length))}${e164.slice(-2)}`

async function suggestionFor(text: string): Promise<string | undefined> {
  if (text.length > MAX_READ_LENGTH) return undefined
  const international = text
    .normalize('NFKC')
    .trim()
    .replace(/^tel:\s*/i, '')
    .replace(/^\(?00\s*/, '+')
  // Without a plus it would take a country to read it, and there is none to take.
  if (!international.startsWith('+')) return undefined
  const number = await parsed(international)
  return number?.isValid() && isE164(number.number) ? number.number : undefined
}

const MAX_READ_LENGTH = 64

/** This uses the large metadata: the small one does not know the kinds of lines. It is loaded for the first number. */
async function parsed(text: string): Promise<PhoneNumber | undefined> {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/max')
  return parsePhoneNumberFromString(text)
}

const lineOf = (number: PhoneNumber): LineKind => lines[number.getType() ?? ''] ?? 'unknown'

const lines: Readonly<Record<string, LineKind>> = {
  MOBILE: 'mobile',
  FIXED_LINE: 'fixed_line',
  FIXED_LINE_OR_MOBILE: 'fixed_line_or_mobile',
  VOIP: 'voip',
  TOLL_FREE: 'toll_free',
  PREMIUM_RATE: 'premium_rate',
  SHARED_COST: 'shared_cost',
  PERSONAL_NUMBER: 'personal_number',
  PAGER: 'pager',
  UAN: 'uan',
  VOICEMAIL: 'voicemail',
}

/** An unknown kind of line may be new: the list of countries decides about it. */
const linesWithoutSms: ReadonlySet<LineKind> = new Set<LineKind>([
  'fixed_line',
  'toll_free',
  'premium_rate',
  'shared_cost',
  'personal_number',
  'pager',
  'uan',
  'voicemail',
])
