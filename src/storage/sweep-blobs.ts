import type { Blobs } from './blobs.ts'

/** Returns those of the given blobs that an owner refers to. */
export type UsedBlobs = (addresses: readonly string[]) => Promise<readonly string[]>

const AT_ONCE = 500

/**
 * Deletes the blobs that no owner refers to; every module that stores blobs must be an owner. A blob that is being put
 * at this moment is too young to be deleted.
 */
export async function sweepBlobs(blobs: Blobs, owners: readonly UsedBlobs[], signal: AbortSignal): Promise<void> {
  const sweep = async (addresses: readonly string[]): Promise<void> => {
    const used = new Set((await Promise.all(owners.map((usedBy) => usedBy(addresses)))).flat())
    await blobs.delete(addresses.filter((address) => !used.has(address)))
  }
  let some: string[] = []
  for await (const address of blobs.list()) {
    if (some.push(address) < AT_ONCE) continue
    await sweep(some)
    some = []
    if (signal.aborted) return
  }
  await sweep(some)
}
