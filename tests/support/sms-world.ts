import { expect } from 'vitest'
import { decodeId, type ProjectId, type WorkspaceId } from '../../src/core/ids.ts'
import { sql } from '../../src/storage/sql.ts'
import type { Client, Reply } from './client.ts'
import { eventually } from './eventually.ts'
import type { MailWorldOptions } from './mail-world.ts'
import { webhookWorld, type WebhookWorld } from './webhooks.ts'
import { accepted } from './world.ts'

export interface SmsDetail {
  id: string
  status: string
  errorCode: string | null
  segments: number
  priceMicros: number
  chargedMicros: number
  to: string
  from: string
  body: string | null
  bodySent: string | null
  parts: { seq: number; status: string; errorCode: string | null; providerMessageId: string | null }[]
  events: { type: string; detail: string; status: string | null; errorCode: string | null }[]
  ledger: { type: string; amountMicros: number }[]
  [field: string]: unknown
}

export interface Balance {
  availableMicros: number
  reservedMicros: number
  totalMicros: number
  status: string
  ledgerSeq: number
  [field: string]: unknown
}

export interface SmsWorld extends WebhookWorld {
  workspace: WorkspaceId
  project: ProjectId
  invite(project?: string): Promise<void>
  /** Asks for a message to a number of the simulator by its last two digits, or to any other. */
  text(to: string, more?: Record<string, unknown>, key?: string, client?: Client): Promise<Reply>
  /** The same, as somebody asks who is told that there is no room just now: again, with the same key. */
  insist(to: string, key: string): Promise<Reply>
  /** The same, for one that must be taken; its id. */
  sendSms(to: string, more?: Record<string, unknown>): Promise<string>
  sms(id: string): Promise<SmsDetail>
  smsBecomes(id: string, status: string): Promise<SmsDetail>
  balance(mode?: string): Promise<Balance>
  /** That every wallet adds up. */
  expectBooksInOrder(): Promise<void>
}

const FULL = { category: 'transactional', body: 'Your order has shipped.' }
let keys = 0

/** An installation whose first project takes part in the beta, with a simulator that is in a hurry. */
export async function smsWorld({ env = {}, ...options }: MailWorldOptions = {}): Promise<SmsWorld> {
  const here = await webhookWorld({ ...options, env: { SMS_SIM_TIME_SCALE: '0.01', ...env } })
  const { services, db, projectApi, projectId } = here
  const workspace = (await services.projects.workspace())!
  const invite = (project = projectId): Promise<void> =>
    services.sms.operator.invite(workspace, decodeId('prj', project)!)
  await invite()
  const numberOf = (to: string): string => (to.length === 2 ? `+120255501${to}` : to)
  const text = (
    to: string,
    more: Record<string, unknown> = {},
    key = `test ${keys++}`,
    client = projectApi,
  ): Promise<Reply> =>
    client.post('sms/messages', { to: numberOf(to), ...FULL, ...more }, { 'sms-idempotency-key': key })
  const sms = async (id: string): Promise<SmsDetail> => (await projectApi.get<SmsDetail>(`sms/messages/${id}`)).body
  return {
    ...here,
    workspace,
    project: decodeId('prj', projectId)!,
    invite,
    text,
    insist: (to, key) =>
      eventually(
        'an answer',
        async () => {
          const reply = await text(to, {}, key)
          return reply.status !== 503 && reply
        },
        60_000,
      ),
    sendSms: async (to, more) => accepted(await text(to, more))['id'] as string,
    sms,
    smsBecomes: (id, status) =>
      eventually(`${id} is ${status}`, async () => {
        const found = await sms(id)
        return found.status === status && found
      }),
    balance: async (mode = 'test') => (await projectApi.get<Balance>(`sms/wallet/balance?mode=${mode}`)).body,
    advance: async (by) => {
      await here.advance(by)
      for (const queue of ['sms_parts', 'sms_simulations']) services.doorbell.ring(queue)
    },
    expectBooksInOrder: async () => {
      expect((await services.sms.operator.reconcile(undefined, false)).violations).toEqual([])
      const { negative } = await db.one(sql<{ negative: number }>`
        select count(*) as negative from sms_wallets where reserved_micros < 0`)
      expect(negative).toBe(0)
    },
  }
}

/** What the simulator's rate is for one segment. */
export const SEGMENT = 10_900
