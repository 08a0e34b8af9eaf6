import { HEAD_OCTETS, MAX_PDU_LENGTH } from './protocol.ts'

/**
 * Cuts what arrives into PDUs. Keeps no more than one of them, and none that says that it is shorter than its head or
 * longer than we allow: after a wrong length there is no telling where the next one begins.
 */
export class Frames {
  #kept: Buffer[] = []
  #size = 0

  /** The PDUs that are complete now, or undefined when there is no sense in going on. */
  push(chunk: Buffer): Buffer[] | undefined {
    this.#kept.push(chunk)
    this.#size += chunk.length
    if (this.#size < this.#wanted) return []
    let rest = this.#kept.length === 1 ? chunk : Buffer.concat(this.#kept)
    const frames: Buffer[] = []
    while (rest.length >= 4) {
      const length = rest.readUInt32BE(0)
      if (length < HEAD_OCTETS || length > MAX_PDU_LENGTH) return undefined
      if (rest.length < length) break
      frames.push(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
    this.#kept = rest.length === 0 ? [] : [rest]
    this.#size = rest.length
    return frames
  }

  /** Returns how many octets are needed next: a PDU in many small chunks is not joined again and again. */
  get #wanted(): number {
    const [first] = this.#kept
    const length = first !== undefined && first.length >= 4 ? first.readUInt32BE(0) : 4
    return length > MAX_PDU_LENGTH ? 4 : length
  }
}
