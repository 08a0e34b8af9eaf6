/**
 * Converts PDUs to octets and back, with the codec of the `smpp` package. Its sessions are not used: they encode texts
 * in other alphabets than those that were counted, and stop reading after a malformed length.
 */
import { CommandId, MAX_PDU_LENGTH, type CommandName } from './protocol.ts'

export interface Codec {
  encode(command: CommandName, fields: Fields): Buffer
  /** Decodes a whole frame. Undefined when its fields contradict each other. */
  decode(frame: Buffer): Pdu | undefined
}

export interface Fields {
  sequence_number: number
  command_status?: number
  [field: string]: unknown
}

/** The values come from outside: a field may be missing, or of any type. */
export interface Pdu {
  command: string
  sequence: number
  status: number
  fields: Readonly<Record<string, unknown>>
}

/** Loaded when the first connection is made: most installations have none. */
export async function loadCodec(): Promise<Codec> {
  const [{ PDU }, { commands, tlvs }] = await Promise.all([import('smpp/lib/pdu.js'), import('smpp/lib/defs.js')])
  // Texts stay octets (the codec would guess an alphabet), times stay what was sent (it would throw at some of them).
  for (const command of Object.values(commands)) {
    for (const field of Object.values(command.params ?? {})) delete field.filter
  }
  for (const tlv of Object.values(tlvs)) delete tlv.filter
  // Many SMSCs leave out its final NUL; read as a C string it would then swallow what follows.
  const [id, octets] = [tlvs['receipted_message_id'], tlvs['network_error_code']]
  if (id && octets) id.type = octets.type
  PDU.maxLength = MAX_PDU_LENGTH
  return {
    encode: (command, fields) => new PDU(command, fields).toBuffer(),
    decode: (frame) => {
      try {
        const { command, command_status: status, sequence_number: sequence, ...fields } = new PDU(frame)
        return { command, sequence, status, fields }
      } catch {
        return undefined
      }
    },
  }
}

export interface Head {
  commandId: number
  status: number
  sequence: number
}

/** The first sixteen octets, which can always be read. */
export const headOf = (frame: Buffer): Head => ({
  commandId: frame.readUInt32BE(4),
  status: frame.readUInt32BE(8),
  sequence: frame.readUInt32BE(12),
})

export const isResponse = ({ commandId }: Pick<Head, 'commandId'>): boolean => commandId >= CommandId.generic_nack

/**
 * Keeps only printable characters: the codec drops the eighth bit, which makes a NUL of 0x80, and PostgreSQL stores no
 * NUL.
 */
export const textField = ({ fields }: Pdu, name: string): string => {
  const value = fields[name]
  return typeof value === 'string' ? value.replaceAll(/[^\x20-\x7e]/g, '') : ''
}

export const numberField = ({ fields }: Pdu, name: string): number | undefined => {
  const value = fields[name]
  return typeof value === 'number' ? value : undefined
}

export const octetsField = ({ fields }: Pdu, name: string): Buffer | undefined => {
  const value = fields[name]
  return Buffer.isBuffer(value) ? value : undefined
}
