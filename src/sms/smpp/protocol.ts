/** Numbers of SMPP 3.4, as the specification names them. */

export const CommandId = {
  generic_nack: 0x80000000,
  deliver_sm: 0x00000005,
} as const

export type CommandName =
  | 'bind_transceiver'
  | 'bind_transmitter'
  | 'bind_receiver'
  | 'submit_sm'
  | 'deliver_sm_resp'
  | 'data_sm_resp'
  | 'enquire_link'
  | 'enquire_link_resp'
  | 'unbind'
  | 'unbind_resp'
  | 'generic_nack'

/** §5.1.3 lists all; these are the ones that we distinguish. */
export const Status = {
  ok: 0x00,
  invalidCommandLength: 0x02,
  invalidCommand: 0x03,
  wrongBindState: 0x04,
  alreadyBound: 0x05,
  systemError: 0x08,
  invalidSource: 0x0a,
  invalidDestination: 0x0b,
  bindFailed: 0x0d,
  invalidPassword: 0x0e,
  invalidSystemId: 0x0f,
  queueFull: 0x14,
  throttled: 0x58,
  temporaryAppError: 0x64,
  permanentAppError: 0x65,
} as const

export const INTERFACE_VERSION = 0x34
export const HEAD_OCTETS = 16
export const MAX_PDU_LENGTH = 16_384
export const LAST_SEQUENCE = 0x7fffffff

export const dataCoding = { smscDefault: 0x00, ia5: 0x01, latin1: 0x03, ucs2: 0x08 } as const
export const esmClass = { typeMask: 0x3c, receipt: 0x04, intermediate: 0x20, udhIndicator: 0x40 } as const
export const ton = { unknown: 0, international: 1, networkSpecific: 3, alphanumeric: 5 } as const
export const npi = { unknown: 0, isdn: 1 } as const
