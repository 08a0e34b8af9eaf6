import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

export interface Cable {
  port: number
  /** From now on nothing gets through, and nobody is told; how many connections that strikes. They never recover. */
  cut(): number
  /** New connections get through again. */
  mend(): void
}

interface CableOptions {
  /** What the server says takes a while. */
  delayMs?: number
  /** Whether the n-th connection is cut off by what its client says. */
  isCutBy?: (nth: number, said: Buffer) => boolean
}

/** A cable to a server's socket that may be long and may be cut without a word. */
export async function layCable(
  socketFile: string,
  { delayMs = 0, isCutBy = () => false }: CableOptions = {},
): Promise<Cable> {
  const ends = new Set<Socket>()
  const joints = new Set<{ isCut: boolean }>()
  let isCut = false
  let connections = 0
  const server = createServer({ noDelay: true }, (near) => {
    const joint = { isCut }
    joints.add(joint)
    const nth = ++connections
    near.on('data', (said) => (joint.isCut ||= isCutBy(nth, said)))
    const far = connect(socketFile)
    for (const [end, other, ms] of [
      [near, far, 0],
      [far, near, delayMs],
    ] as const) {
      ends.add(end)
      const later = (say: () => void): void => {
        if (joint.isCut) return
        if (ms === 0) say()
        // One that is cut meanwhile has lost what was under way.
        else void sleep(ms, undefined, { ref: false }).then(() => joint.isCut || say())
      }
      end.on('data', (chunk) => later(() => other.write(chunk)))
      end.on('error', () => {})
      end.on('close', () => {
        ends.delete(end)
        if (!joint.isCut) other.destroy()
        if (far.destroyed && near.destroyed) joints.delete(joint)
      })
    }
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const end of ends) end.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true
      const standing = [...joints].filter((joint) => !joint.isCut)
      for (const joint of standing) joint.isCut = true
      return standing.length
    },
    mend: () => void (isCut = false),
  }
}
