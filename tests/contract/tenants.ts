import { operator } from '../../src/app/operator.ts'
import { encodeId, newId, type IdPrefix } from '../../src/core/ids.ts'
import { sql } from '../../src/storage/sql.ts'
import { accepted, created, type World } from '../support/world.ts'
import type { Client } from '../support/client.ts'
import { simulated } from './requests.ts'

/** On whose behalf a thing is made: a workspace key, and a project of that workspace or the workspace itself. */
export interface Owner {
  name: string
  client: Client
  projectId: string | undefined
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
  dom: (owner) => inProject(owner, 'domains', { name: `${newId<'dom'>()}.example.com` }),
  em: ({ client, projectId }) => email(client, projectId),
  tpl: (owner) => inProject(owner, 'templates', { name: 'made' }),
  sup: (owner) => inProject(owner, 'suppressions', { email: `${newId<'sup'>()}@example.com` }),
  whk: (owner) => inProject(owner, 'webhooks', webhook),
  whd: ({ client, projectId }, { whk }) => delivery(client, projectId, whk),
}

/** Later, so that it can still be moved and cancelled. */
async function email(client: Client, projectId: string | undefined): Promise<string | undefined> {
  if (projectId === undefined) return undefined
  const body = { ...simulated, sendAt: new Date(Date.now() + 3_600_000).toISOString() }
  return accepted(await client.post<{ id: string }>('email/send', body, { 'x-service-project-id': projectId })).id
}

/** Somewhere that nobody connects to: a worker would have to run. */
const webhook = { url: 'https://192.31.7.1/hook' }

async function delivery(client: Client, projectId: string | undefined, whk: string | undefined) {
  if (projectId === undefined || whk === undefined) return undefined
  const headers = { 'x-service-project-id': projectId }
  return accepted(await client.post<{ id: string }>(`webhooks/${whk}/test`, {}, headers)).id
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

export async function neighbourhood({
  api,
  projectApi,
  projectId,
  newProject,
  db,
  house,
}: World): Promise<Neighbourhood> {
  const workspaceId = newId<'acc'>()
  await db.run(sql`insert into workspaces (id, name) values (${workspaceId}, 'strangers')`)
  const [maker, actor] = [operator(workspaceId), { type: 'operator' } as const]
  const { secret } = await house.keys.create(maker, actor, { name: 'theirs', fullAccess: true })
  const client = api.with(secret)
  const theirs = created(await client.post<{ id: string; accountId: string }>('projects', { name: 'theirs' }))
  if (theirs.accountId !== encodeId('acc', workspaceId)) throw new Error('the stranger is no stranger')
  return {
    workspaceKey: api,
    projectKey: projectApi,
    own: { name: 'own', client: api, projectId },
    sibling: { name: 'sibling', client: api, projectId: await newProject('sibling') },
    above: { name: 'above', client: api, projectId: undefined },
    stranger: { name: 'stranger', client, projectId: theirs.id },
  }
}
