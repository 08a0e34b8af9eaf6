import type { Item, Lease, Limits } from '../dispatch/queue.ts'
import type { Delivered } from '../resources/emails/index.ts'
import type { Beat } from '../process/heartbeat.ts'

export type ToCourier =
  | { type: 'deliver'; item: Pick<Item, 'id' | 'destination'> }
  | { type: 'permission'; permission: Awaited<ReturnType<Lease['confirm']>> }
  | { type: 'noted' }

export type FromCourier =
  | Beat
  /** From here on its death says something about the message. */
  | { type: 'begun' }
  | { type: 'may I begin' }
  | { type: 'passing' }
  | { type: 'suspend'; ms: number }
  | { type: 'restrict'; limits: Partial<Limits>; ms: number }
  | { type: 'outcome'; outcome: Delivered }
