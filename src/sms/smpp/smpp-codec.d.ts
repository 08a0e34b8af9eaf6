/** The package has no types. Of it we use only what turns PDUs into octets and back. */

declare module 'smpp/lib/pdu.js' {
  export class PDU {
    static maxLength: number
    constructor(command: string, fields: Readonly<Record<string, unknown>>)
    constructor(octets: Buffer)
    [field: string]: unknown
    command: string
    command_id: number
    command_status: number
    sequence_number: number
    toBuffer(): Buffer
  }
}

declare module 'smpp/lib/defs.js' {
  export interface FieldType {
    default: unknown
  }
  export interface Field {
    type: FieldType
    filter?: unknown
  }
  export const commands: Readonly<Record<string, { id: number; params?: Record<string, Field> }>>
  export const tlvs: Readonly<Record<string, Field>>
}
