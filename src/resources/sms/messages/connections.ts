import type { Address, CarrierCaps } from '../../../sms/carrier.ts'

export const SIMULATOR = 'simulator'

/** What must be known of a carrier connection without talking to it. */
export interface ConnectionTraits extends Pick<CarrierCaps, 'concatRef' | 'splitsItself' | 'repliesToStop'> {
  /** Whether a report is about one part or about all of the message. */
  receiptsFor: 'part' | 'message'
}

const simulator: ConnectionTraits = {
  concatRef: 8,
  splitsItself: false,
  repliesToStop: false,
  receiptsFor: 'part',
}

/** The connections that the operator has configured, and the one that is always there. */
export class Connections {
  readonly #traits: ReadonlyMap<string, ConnectionTraits>

  constructor(configured: Readonly<Record<string, ConnectionTraits>> = {}) {
    this.#traits = new Map([...Object.entries(configured), [SIMULATOR, simulator]])
  }

  readonly has = (name: string | null): boolean => name !== null && this.#traits.has(name)

  traits(name: string | null): ConnectionTraits {
    return (name === null ? undefined : this.#traits.get(name)) ?? simulator
  }

  concatRef(name: string | null): 8 | 16 {
    return this.traits(name).concatRef
  }
}

export function addressOf(senderType: string, value: string): Address {
  if (senderType === 'alphanumeric') return { kind: 'alphanumeric', value }
  return { kind: senderType === 'short_code' ? 'short_code' : 'international', value }
}
