import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Item, Lease } from '../dispatch/queue.ts'
import type { Delivered } from '../resources/emails/index.ts'
import type { FromCourier, ToCourier } from './courier-messages.ts'

const program = fileURLToPath(new URL('courier.ts', import.meta.url))

/** When a process could not even begin, which says nothing about the message. */
const AGAIN_AFTER_MS = 30_000

/** Delivers one message in a process of its own. Undefined when that process dies of it. */
export function deliverAlone(
  item: Pick<Item, 'id' | 'destination'>,
  lease: Lease,
  env: NodeJS.ProcessEnv,
): Promise<Delivered | undefined> {
  const courier = fork(program, [], { env, serialization: 'advanced' })
  const say = (message: ToCourier): void => void courier.send(message, () => {})
  return new Promise((resolve) => {
    let hasBegun = false
    const onEnd = (): void =>
      resolve(hasBegun ? undefined : { kind: 'returned', afterMs: AGAIN_AFTER_MS, whom: undefined })
    courier.on('message', (message: FromCourier) => {
      switch (message.type) {
        case 'begun':
          hasBegun = true
          break
        case 'may I begin':
          void lease.begin().then((permission) => say({ type: 'permission', permission }))
          break
        case 'passing':
          void lease.passing().then(() => say({ type: 'noted' }))
          break
        case 'suspend':
          lease.suspend(message.ms)
          break
        case 'restrict':
          lease.restrict(message.limits, message.ms)
          break
        case 'outcome':
          resolve(message.outcome)
          courier.kill()
      }
    })
    courier.on('exit', onEnd)
    // It may not have been possible to start it.
    courier.on('error', onEnd)
    lease.signal.addEventListener('abort', () => courier.kill('SIGKILL'), { once: true })
    say({ type: 'deliver', item: { id: item.id, destination: item.destination } })
  })
}
