import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { created, world } from '../support/world.ts'

const KEYS = 20
const REQUESTS_PER_KEY_AND_PROCESS = 25

test('a revoked key opens nothing from the moment of the answer, on any process', async () => {
  const { api, anotherApi } = await world()
  const processes = [api, await anotherApi()]
  const traffic = others(processes)
  const after: number[] = []
  for (let i = 0; i < KEYS; i++) {
    const { id, secret } = created(
      await api.post<{ id: string; secret: string }>('api-keys', { name: 'leaked', fullAccess: true }),
    )
    const ask = (times: number) =>
      processes.flatMap((process) => Array.from({ length: times }, () => process.with(secret).get('projects?limit=1')))
    // Whatever a process may remember of the key, it remembers from here.
    expect((await Promise.all(ask(2))).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const underway = ask(3)
    expect((await processes[i % 2]!.delete(`api-keys/${id}`)).body).toEqual({ id, deleted: true })
    after.push(...(await Promise.all(ask(REQUESTS_PER_KEY_AND_PROCESS))).map(({ status }) => status))
    // Those that were under way when the key was revoked may have come before or after.
    for (const { status } of await Promise.all(underway)) expect([200, 401]).toContain(status)
  }
  await traffic.end()
  expect(after).toHaveLength(1_000)
  expect(after.filter((status) => status !== 401)).toEqual([])
})

/** Other customers keep both processes busy meanwhile: their look-ups travel together with those of the leaked key. */
function others(processes: readonly Client[]): { end(): Promise<void> } {
  const over = new AbortController()
  const statuses: number[] = []
  const loops = processes.map(async (client) => {
    while (!over.signal.aborted) statuses.push((await client.get('projects?limit=1')).status)
  })
  return {
    end: async () => {
      over.abort()
      await Promise.all(loops)
      expect(new Set(statuses)).toEqual(new Set([200]))
    },
  }
}
