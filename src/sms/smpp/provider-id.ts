/**
 * Some SMSCs answer a submit with an id in hexadecimal and write the same id in decimal into its receipts, or the other
 * way round; many pad it with zeros or change its case. Both are brought into one form, so that they can be compared.
 */
export type IdForm = 'same' | 'hex_then_dec' | 'dec_then_hex'

export function providerIdOf(written: string, saidIn: 'answer' | 'receipt', form: IdForm): string {
  const id = written.trim().slice(0, MAX_LENGTH).toLowerCase()
  const isHex = (form === 'hex_then_dec' && saidIn === 'answer') || (form === 'dec_then_hex' && saidIn === 'receipt')
  if (isHex && /^(0x)?[0-9a-f]+$/.test(id)) return BigInt(`0x${id.replace(/^0x/, '')}`).toString()
  return id.replace(/^0+(?=.)/, '')
}

/** §4.4.2 allows 65 octets with the NUL. */
const MAX_LENGTH = 64
