import { sign, type KeyObject } from 'node:crypto'
import { cpus } from 'node:os'
import { perSecond } from './table.ts'

const SECONDS = 4
const HEADERS = Buffer.alloc(1_000, 'x')

/** Signatures per second with this key when all cores do nothing else. */
export async function signingRate(key: KeyObject): Promise<number> {
  const startedAt = performance.now()
  const end = startedAt + SECONDS * 1_000
  let count = 0
  const signer = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const next = (): void =>
        sign('sha256', HEADERS, key, (error) => {
          if (error) return reject(error)
          count++
          if (performance.now() < end) next()
          else resolve()
        })
      next()
    })
  await Promise.all(Array.from({ length: 2 * cpus().length }, signer))
  return perSecond(count, performance.now() - startedAt)
}
