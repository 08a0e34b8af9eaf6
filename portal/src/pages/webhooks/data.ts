import type { CallOptions, Reply } from '@posthouse/sdk'
import { useQueryClient } from '@tanstack/react-query'
import type { Found } from '../../kit/address.ts'
import type { StateTone } from '../../kit/badge.tsx'
import type { RowsQuery } from '../../kit/list.tsx'
import { ask, askPages, call, refresh, useChange, type RowOf } from '../../shell/api.ts'
import { isToldAtOnce } from '../../shell/live.ts'
import { words } from '../../words/words.ts'
import type { deliveriesSearch } from './search.ts'

export type Webhook = Reply<'GET /webhooks/:id'>
export type WebhookRow = RowOf<'GET /webhooks'>
export type DeliveryRow = RowOf<'GET /webhooks/:id/deliveries'>
export type Delivery = Reply<'GET /webhooks/:id/deliveries/:deliveryId'>
export type Attempt = Delivery['attempts'][number]
export type ShownSecret = Reply<'POST /webhooks/:id/secret'>

const endpoints = ['GET /webhooks', 'GET /webhooks/:id'] as const
const deliveries = [
  'GET /webhooks/:id/deliveries',
  'GET /webhooks/:id/deliveries/:deliveryId',
  'GET /webhooks/:id',
] as const

const PENDING_MS = 2_000

export const webhookRows = (project: string): RowsQuery<WebhookRow> => askPages('GET /webhooks', { project })

/** Its health changes by itself, and is asked for where changes are not told. */
export const webhookQuery = (project: string, id: string) => ({
  ...ask('GET /webhooks/:id', { project, params: { id } }),
  refetchInterval: () => (isToldAtOnce() ? false : 15_000),
})

/** The deliveries, looked at again while one of them is on its way. */
export function deliveryRows(
  project: string,
  id: string,
  found: Found<typeof deliveriesSearch>,
): RowsQuery<DeliveryRow> {
  const { status, type, message, after, before } = found
  const query = { status, type, messageId: message, createdAfter: after, createdBefore: before }
  return {
    ...askPages('GET /webhooks/:id/deliveries', { project, params: { id }, query }),
    refetchInterval: ({ state: { data } }) => {
      if (isToldAtOnce()) return false
      const isPending = data?.pages[0]?.data.some((delivery) => delivery.status === 'pending')
      return data?.pages.length === 1 && isPending ? PENDING_MS : 10_000
    },
  }
}

export const deliveryQuery = (project: string, id: string, deliveryId: string) => ({
  ...ask('GET /webhooks/:id/deliveries/:deliveryId', { project, params: { id, deliveryId } }),
  refetchInterval: ({ state: { data } }: { state: { data: Delivery | undefined } }) =>
    data?.status === 'pending' ? 1_000 : (false as const),
})

export const useUpdateWebhook = () => useChange('PATCH /webhooks/:id', endpoints)
export const useDeleteWebhook = () => useChange('DELETE /webhooks/:id', ['GET /webhooks'])
export const useReplayAll = () => useChange('POST /webhooks/:id/deliveries/replay', deliveries)
export const useReplayOne = () => useChange('POST /webhooks/:id/deliveries/:deliveryId/replay', deliveries)
export const useTest = () => useChange('POST /webhooks/:id/test', ['GET /webhooks/:id/deliveries'])

type Created = Reply<'POST /webhooks'>

/** Secrets are kept nowhere but with who asked, so they do not go through the cache. */
export function useCreateWebhook(project: string) {
  const queries = useQueryClient()
  return async (body: CallOptions<'POST /webhooks'>['body'], idempotencyKey: string): Promise<Created> => {
    const endpoint = await call('POST /webhooks', { project, body, idempotencyKey })
    refresh(queries, ['GET /webhooks'])
    return endpoint
  }
}

export const fetchSecret = (project: string, id: string): Promise<ShownSecret> =>
  call('POST /webhooks/:id/secret', { project, params: { id } })

export interface Rotated {
  secret: string
  earlier: string
}

/** The earlier secret is asked for first: afterwards nobody can read it any more. */
export async function rotateSecret(project: string, id: string): Promise<Rotated> {
  const { secret: earlier } = await fetchSecret(project, id)
  const { secret } = await call('POST /webhooks/:id/rotate-secret', { project, params: { id } })
  return { secret, earlier }
}

export function stateOf({ enabled, health }: { enabled: boolean; health?: Webhook['health'] }): {
  tone: StateTone
  word: string
} {
  const said = words.webhooks.states
  if (!enabled) return { tone: 'bad', word: said.disabled }
  if (health === undefined) return { tone: 'ok', word: said.enabled }
  if (health.failingSince !== null) return { tone: 'warn', word: said.failing }
  return { tone: 'ok', word: health.lastDeliveredAt === null ? said.enabled : said.healthy }
}

/** The secret of an endpoint that was just added, for the page that opens next. */
let fresh: { id: string; secret: string } | undefined

const MAX_FRESH_MS = 5_000

export function handOver(id: string, secret: string): void {
  fresh = { id, secret }
  setTimeout(() => {
    fresh = undefined
  }, MAX_FRESH_MS)
}

export const freshSecret = (id: string): string | undefined => (fresh?.id === id ? fresh.secret : undefined)
