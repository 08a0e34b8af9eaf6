import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { decodeId } from '../../src/core/ids.ts'
import { created } from './world.ts'
import { smsWorld, type SmsWorld } from './sms-world.ts'

export interface LiveWorld extends SmsWorld {
  programId: string
  senderId: string
  /** Asks for a live message; like `text`, with the program and sender filled in. */
  live: SmsWorld['text']
  /** Records that a number has agreed, in writing. */
  consent(phone: string, more?: Record<string, unknown>): Promise<void>
}

/** Ours, and one that nobody at the other end minds. */
export const OURS = '+14155550111'
export const THEIRS = '+12125551234'
export const LIVE_SEGMENT = 8_000

export const connectionsFile = (connections: Record<string, unknown>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'posthouse-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'connections.json')
  writeFileSync(file, JSON.stringify(connections))
  return file
}

export const smppConnection = (port: number, more: Record<string, unknown> = {}) => ({
  kind: 'smpp',
  host: '127.0.0.1',
  port,
  tls: false,
  systemId: 'posthouse',
  password: 'secret',
  maxPartsPerSecond: 1_000,
  ...more,
})

/** Everything that live delivery takes beside the gate of the installation: money, prices, a program and a sender. */
export async function goLive(
  { services, workspace, project, projectApi }: Pick<SmsWorld, 'services' | 'workspace' | 'project' | 'projectApi'>,
  senderFields: Record<string, unknown> = {},
): Promise<{ programId: string; senderId: string }> {
  const { operator } = services.sms
  const fields = { type: 'long_code', address: OURS, ...senderFields }
  const approved = await activeSender({ services, workspace, projectApi }, fields)
  await operator.setLive(workspace, project, true, undefined)
  await operator.topUp({ workspace, project, mode: 'live' }, 25_000_000n, 'INV-00042')
  const rate = { base: 5_000n, carrierFee: 3_000n, currency: 'USD', refundUndelivered: false }
  await operator.loadRates(
    workspace,
    ['US', 'GB', 'JM', 'BS'].map((country) => ({
      ...rate,
      country,
      senderType: fields.type,
      category: null,
      effectiveFrom: new Date('2026-01-01T00:00:00Z'),
    })),
  )
  return approved
}

/** One more, of a program of its own. */
export const anotherSender = (here: SmsWorld): Promise<{ programId: string; senderId: string }> =>
  activeSender(here, { type: 'long_code', address: '+14155550112' })

async function activeSender(
  { services, workspace, projectApi }: Pick<SmsWorld, 'services' | 'workspace' | 'projectApi'>,
  fields: Record<string, unknown>,
): Promise<{ programId: string; senderId: string }> {
  const { operator } = services.sms
  const post = async (path: string, body: unknown): Promise<string> =>
    created(await projectApi.post<{ id: string }>(path, body)).id
  const submit = async (path: string, prefix: 'smsbp' | 'smspg' | 'smssn', id: string): Promise<void> => {
    const reply = await projectApi.patch(`${path}/${id}`, { status: 'submitted' })
    if (reply.status !== 200) throw new Error(reply.text)
    await operator.decide(workspace, 'approve', prefix, decodeId(prefix, id)!, [])
  }
  const profile = await post('sms/business-profiles', completeProfile)
  await submit('sms/business-profiles', 'smsbp', profile)
  const programId = await post('sms/programs', { ...completeProgram, businessProfileId: profile })
  await submit('sms/programs', 'smspg', programId)
  const senderId = await post('sms/senders', { country: 'US', twoWay: true, programId, ...fields })
  await submit('sms/senders', 'smssn', senderId)
  const limits = { connection: 'main', perSecond: 1_000, dailyCap: null }
  await operator.activateSender(workspace, decodeId('smssn', senderId)!, limits)
  return { programId, senderId }
}

export async function liveWorld(
  connection: Record<string, unknown>,
  {
    env = {},
    sender = {},
    workers = 1,
  }: { env?: Record<string, string>; sender?: Record<string, unknown>; workers?: number } = {},
): Promise<LiveWorld> {
  const here = await smsWorld({
    workers,
    env: { SMS_LIVE_ENABLED: 'true', SMS_CONNECTIONS_FILE: connectionsFile({ main: connection }), ...env },
  })
  const { projectApi, text } = here
  const { programId, senderId } = await goLive(here, sender)
  return {
    ...here,
    programId,
    senderId,
    live: (to, more = {}, key, client) => text(to, { programId, senderId, ...more }, key, client),
    consent: async (phone, more = {}) =>
      void created(await projectApi.post('sms/consents', { ...writtenConsent(phone, programId), ...more })),
  }
}

export const writtenConsent = (phone: string, programId: string) => ({
  phone,
  programId,
  type: 'express_written',
  action: 'granted',
  method: 'web_form',
  capturedAt: new Date(Date.now() - 60_000).toISOString(),
  evidence: {
    disclosureText: 'By ticking this box you agree to recurring texts from Acme.',
    sourceUrl: 'https://acme.example/join',
    ipAddress: '192.0.2.7',
  },
})

export const completeProfile = {
  legalName: 'Acme Incorporated',
  displayName: 'Acme',
  entityType: 'private_profit',
  registrationType: 'EIN',
  registrationNumber: '12-3456789',
  registrationCountry: 'US',
  address: { line1: '1 Main Street', city: 'Springfield', region: 'IL', postalCode: '62701', country: 'US' },
  website: 'https://acme.example',
  vertical: 'retail',
  contact: { firstName: 'Ann', lastName: 'Archer', email: 'ann@acme.example', phone: '+12025550123' },
}

export const completeProgram = {
  name: 'Orders',
  channel: '10dlc',
  useCase: 'account_notification',
  allowedCategories: ['authentication', 'transactional', 'marketing', 'conversational'],
  description: 'Customers hear when their order was taken, has left the house and will arrive.',
  messageFlow: 'Customers tick a box at https://acme.example/checkout when they order.',
  samples: ['Acme: your order 1234 has shipped.', 'Acme: your order 1234 arrives tomorrow.'],
  optInMessage: 'Acme: you get order updates now. Reply HELP for help, STOP to end.',
  optOutMessage: 'Acme: you are unsubscribed and get no more messages.',
  helpMessage: 'Acme: write to help@acme.example, or reply STOP to end.',
  privacyPolicyUrl: 'https://acme.example/privacy',
  termsUrl: 'https://acme.example/terms',
  expectedMonthlyVolume: 1000,
}
