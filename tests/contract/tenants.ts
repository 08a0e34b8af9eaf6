import { operator } from '../../src/app/operator.ts'
import { decodeId, encodeId, newId, type IdPrefix } from '../../src/core/ids.ts'
import { sql } from '../../src/storage/sql.ts'
import { signIn } from '../support/people.ts'
import { receiveAtOnce } from '../support/receiving.ts'
import { accepted, created, type World } from '../support/world.ts'
import type { Client } from '../support/client.ts'
import { simulated } from './requests.ts'

/** On whose behalf a thing is made: a workspace key, and a project of that workspace or the workspace itself. */
export interface Owner {
  name: string
  client: Client
  projectId: string | undefined
  /** The installation itself, for what does not come in through the API. */
  world: World
}

/** What was made on the way, by prefix: a contact needs its audience first. */
export type Made = Readonly<Partial<Record<IdPrefix, string>>>
type Maker = (owner: Owner, made: Made) => Promise<string | undefined>

/**
 * How to make one of what an id names; undefined where it cannot exist without a project. Whoever adds a prefix to a
 * route's path, query or body adds its line here, and every test of isolation covers it from then on.
 */
export const makers: Readonly<Partial<Record<IdPrefix, Maker>>> = {
  prj: async ({ client }) => created(await client.post<{ id: string }>('projects', { name: 'made' })).id,
  key: async ({ client, projectId }) =>
    created(await client.post<{ id: string }>('api-keys', { name: 'made', fullAccess: true, projectId })).id,
  per: (owner) => person(owner),
  inv: async ({ client }) =>
    created(
      await client.post<{ id: string }>('people/invitations', {
        email: `${newId<'inv'>()}@example.com`,
        role: 'viewer',
      }),
    ).id,
  dom: (owner) => inProject(owner, 'domains', { name: `${newId<'dom'>()}.example.com` }),
  em: ({ client, projectId }) => email(client, projectId),
  evt: (owner, { em }) => event(owner, em),
  bat: ({ client, projectId }) => batch(client, projectId),
  tpl: (owner) => inProject(owner, 'templates', { name: 'made' }),
  aud: (owner) => inProject(owner, 'audiences', { name: 'made' }),
  con: (owner, { aud }) => contact(owner, aud),
  imp: (owner, { aud }) => upload(owner, `audiences/${aud}/contacts/import`),
  tag: (owner) => tag(owner),
  brd: (owner) => broadcast(owner),
  aut: (owner) => automation(owner),
  sup: (owner) => inProject(owner, 'suppressions', { email: `${newId<'sup'>()}@example.com` }),
  rdm: (owner) => inProject(owner, 'receiving/domains', { type: 'managed' }),
  rcv: (owner) => received(owner),
  att: (owner, { rcv, em }) => (rcv === undefined ? fileSent(owner, em) : fileOf(owner, rcv)),
  whk: (owner) => inProject(owner, 'webhooks', webhook),
  whd: ({ client, projectId }, { whk }) => delivery(client, projectId, whk),
  sms: (owner) => text(owner),
  smsbp: (owner) => inProject(owner, 'sms/business-profiles', {}),
  smspg: (owner) => inProject(owner, 'sms/programs', { name: 'made' }),
  smssn: (owner) => inProject(owner, 'sms/senders', { type: 'long_code', address: anyNumber(), country: 'US' }),
  smscn: (owner) => smsConsent(owner),
  smssp: (owner) => inProject(owner, 'sms/suppressions', { phone: anyNumber() }),
  sml: (owner) => newest(owner, 'sms/wallet/ledger'),
  smtu: (owner) => newest(owner, 'sms/wallet/top-ups'),
}

/** In the workspace, whoever asks: people belong to no project. */
async function person({ client, world }: Owner): Promise<string> {
  const { id } = (await client.get<{ id: string }>('workspace')).body
  return (await signIn(world, { role: 'viewer', workspace: id })).id
}

let numbers = 0
const anyNumber = (): string => `+1415555${String(1_000 + numbers++).padStart(4, '0')}`

async function text({ client, projectId }: Owner): Promise<string | undefined> {
  if (projectId === undefined) return undefined
  const headers = { 'x-service-project-id': projectId, 'sms-idempotency-key': newId<'sms'>() }
  const body = { to: '+12025550100', category: 'transactional', body: 'Made.' }
  return accepted(await client.post<{ id: string }>('sms/messages', body, headers)).id
}

async function smsConsent(owner: Owner): Promise<string | undefined> {
  const programId = await inProject(owner, 'sms/programs', { name: 'agreed to' })
  const consent = { type: 'express', action: 'granted', method: 'api', capturedAt: '2026-01-01T00:00:00Z' }
  return inProject(owner, 'sms/consents', { phone: anyNumber(), programId, ...consent })
}

/** What there is without anybody asking for it. */
async function newest({ client, projectId }: Owner, path: string): Promise<string | undefined> {
  if (projectId === undefined) return undefined
  const headers = { 'x-service-project-id': projectId }
  return (await client.get<{ data: { id: string }[] }>(path, { headers })).body.data[0]?.id
}

/** Later, so that it can still be moved and cancelled. */
async function email(client: Client, projectId: string | undefined): Promise<string | undefined> {
  if (projectId === undefined) return undefined
  const attachments = [{ filename: 'made.txt', content: 'bWFkZQ==' }]
  const body = { ...simulated, attachments, sendAt: new Date(Date.now() + 3_600_000).toISOString() }
  return accepted(await client.post<{ id: string }>('email/send', body, { 'x-service-project-id': projectId })).id
}

/** Something that happened to an email, with what was said about it: a worker would have to run. */
async function event({ projectId, world: { db } }: Owner, em: string | undefined): Promise<string | undefined> {
  if (projectId === undefined || em === undefined) return undefined
  const [id, project, message] = [newId<'evt'>(), decodeId('prj', projectId)!, decodeId('em', em)!]
  await db.run(sql`
    insert into events (id, project_id, workspace_id, kind, message_id, recipient, detail)
    select ${id}, id, workspace_id, 'email.deferred', ${message}, ${simulated.to}, 'Later.' from projects where id = ${project}`)
  await db.run(sql`
    insert into dialogues (event_id, project_id, message_id, lines, bytes)
    values (${id}, ${project}, ${message}, '[[0, 0, "QUIT"]]', 0)`)
  return encodeId('evt', id)
}

async function batch(client: Client, projectId: string | undefined): Promise<string | undefined> {
  if (projectId === undefined) return undefined
  const headers = { 'x-service-project-id': projectId }
  return accepted(await client.post<{ id: string }>('email/batch', [simulated], headers)).id
}

/** Somewhere that nobody connects to: a worker would have to run. */
const webhook = { url: 'https://192.31.7.1/hook' }

async function delivery(client: Client, projectId: string | undefined, whk: string | undefined) {
  if (projectId === undefined || whk === undefined) return undefined
  const headers = { 'x-service-project-id': projectId }
  return accepted(await client.post<{ id: string }>(`webhooks/${whk}/test`, {}, headers)).id
}

async function contact(owner: Owner, aud: string | undefined): Promise<string | undefined> {
  const audience = aud ?? (await inProject(owner, 'audiences', { name: 'made' }))
  return inProject(owner, `audiences/${audience}/contacts`, { email: `${newId<'con'>()}@example.com` })
}

async function automation(owner: Owner): Promise<string | undefined> {
  const audienceId = await inProject(owner, 'audiences', { name: 'automated' })
  const trigger = { type: 'audience', audienceId }
  return inProject(owner, 'automations', { name: 'made', trigger, steps: [{ type: 'exit' }] })
}

/** With somebody whom it can be applied to. */
async function tag(owner: Owner): Promise<string | undefined> {
  const audience = await inProject(owner, 'audiences', { name: 'tagged' })
  await inProject(owner, `audiences/${audience}/contacts`, { email: 'least@example.com' })
  return inProject(owner, 'contact-tags', { name: newId<'tag'>() })
}

/** To somebody, so that it can be sent. */
async function broadcast(owner: Owner): Promise<string | undefined> {
  const audienceId = await inProject(owner, 'audiences', { name: 'readers' })
  if (audienceId === undefined) return undefined
  await inProject(owner, `audiences/${audienceId}/contacts`, { email: simulated.to })
  const { from, subject, text } = simulated
  return inProject(owner, 'broadcasts', { audienceId, from, subject, text })
}

async function upload({ client, projectId }: Owner, path: string): Promise<string | undefined> {
  if (projectId === undefined) return undefined
  const headers = { 'x-service-project-id': projectId, 'content-type': 'text/csv' }
  return accepted(await client.post<{ id: string }>(path, 'email\nleast@example.com\n', headers)).id
}

async function received(owner: Owner): Promise<string | undefined> {
  if (owner.projectId === undefined) return undefined
  const headers = { 'x-service-project-id': owner.projectId }
  const domain = await owner.client.post<{ name: string }>('receiving/domains', { type: 'managed' }, headers)
  await receiveAtOnce(owner.world, `x@${domain.body.name}`)
  const { body } = await owner.client.get<{ data: { id: string }[] }>('receiving/emails', { headers })
  return body.data[0]!.id
}

async function fileOf({ client, projectId }: Owner, rcv: string | undefined): Promise<string | undefined> {
  if (projectId === undefined || rcv === undefined) return undefined
  const headers = { 'x-service-project-id': projectId }
  const { body } = await client.get<{ data: { id: string }[] }>(`receiving/emails/${rcv}/attachments`, { headers })
  return body.data[0]!.id
}

async function fileSent({ client, projectId }: Owner, em: string | undefined): Promise<string | undefined> {
  if (projectId === undefined || em === undefined) return undefined
  const { body } = await client.get<{ attachments: { id: string }[] }>(`emails/${em}`)
  return body.attachments[0]!.id
}

async function inProject({ client, projectId }: Owner, path: string, body: unknown): Promise<string | undefined> {
  if (projectId === undefined) return undefined
  return created(await client.post<{ id: string }>(path, body, { 'x-service-project-id': projectId })).id
}

/** One of each prefix, in the order given; without those that cannot exist for this owner. */
export async function makeAll(prefixes: readonly IdPrefix[], owner: Owner): Promise<Made> {
  const made: Partial<Record<IdPrefix, string>> = {}
  for (const prefix of prefixes) {
    const maker = makers[prefix]
    if (maker === undefined) throw new Error(`nobody said how to make a thing with an id that starts with ${prefix}_`)
    const id = await maker(owner, made)
    if (id !== undefined) made[prefix] = id
  }
  return made
}

export interface Neighbourhood {
  /** The callers of the tests: all there is to have in the workspace, and in its first project. */
  workspaceKey: Client
  projectKey: Client
  own: Owner
  /** Another project of the same workspace. */
  sibling: Owner
  /** What belongs to the workspace and to no project. */
  above: Owner
  /** Another workspace of the same installation, as busy as ours. */
  stranger: Owner
}

export async function neighbourhood(world: World): Promise<Neighbourhood> {
  const { api, projectApi, projectId, newProject, db, services } = world
  const workspaceId = newId<'acc'>()
  await db.run(sql`insert into workspaces (id, name) values (${workspaceId}, 'strangers')`)
  const [maker, actor] = [operator(workspaceId), { type: 'operator' } as const]
  const { secret } = await services.keys.create(maker, actor, { name: 'theirs', fullAccess: true })
  const client = api.with(secret)
  const theirs = created(await client.post<{ id: string; accountId: string }>('projects', { name: 'theirs' }))
  if (theirs.accountId !== encodeId('acc', workspaceId)) throw new Error('the stranger is no stranger')
  const sibling = await newProject('sibling')
  const ourWorkspace = await services.projects.workspace()
  for (const id of [projectId, sibling]) await services.sms.operator.invite(ourWorkspace!, decodeId('prj', id)!)
  await services.sms.operator.invite(workspaceId, decodeId('prj', theirs.id)!)
  return {
    workspaceKey: api,
    projectKey: projectApi,
    own: { name: 'own', client: api, projectId, world },
    sibling: { name: 'sibling', client: api, projectId: sibling, world },
    above: { name: 'above', client: api, projectId: undefined, world },
    stranger: { name: 'stranger', client, projectId: theirs.id, world },
  }
}
