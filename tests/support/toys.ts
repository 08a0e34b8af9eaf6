import { Type } from 'typebox'
import type { Services } from '../../src/app/compose.ts'
import { DomainError } from '../../src/core/errors.ts'
import { encodeId, type ProjectId } from '../../src/core/ids.ts'
import { accepted } from '../../src/http/idempotency.ts'
import { projectOfSender } from '../../src/resources/projects/index.ts'
import { route, type Route } from '../../src/http/route.ts'
import {
  claimKeyOf,
  claimKeys,
  keepValues,
  type IdempotencyKey,
  type Replayable,
} from '../../src/storage/idempotency.ts'
import type { Database, Tx } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'

const Where = Type.Object({ projectId: Type.String() })
const Toy = Type.Object({ word: Type.String(), extra: Type.Optional(Type.Unknown()) }, { additionalProperties: false })
const Made = Type.Object({ id: Type.Integer(), word: Type.String() })

/** Small routes that show one property of the shell each, for tests that no resource of ours can serve. */
export const toyRoutes = (_house: Services, db: Database): Route[] => [
  route({
    method: 'GET',
    path: '/toys/here',
    scope: 'email:send',
    context: 'project',
    summary: 'Which project a project-local call is about.',
    reply: { 200: Where },
    handle: async ({ project }) => ({ projectId: encodeId('prj', project.id) }),
  }),
  route({
    method: 'POST',
    path: '/toys/here',
    scope: 'email:send',
    context: 'project',
    summary: 'A project-local write.',
    reply: { 200: Where },
    handle: async ({ project }) => ({ projectId: encodeId('prj', project.id) }),
  }),
  /** As a send: `word` is `sandbox`, or the id of the project whose domain the sender has, or anything unknown. */
  route({
    method: 'POST',
    path: '/toys/from',
    scope: 'email:send',
    context: 'sender',
    summary: 'Which project a send belongs to.',
    body: Toy,
    reply: { 200: Where },
    handle: async ({ caller, project, body }) => {
      const found = await db.all(sql<{ id: ProjectId; status: 'active' }>`
        select id, status from projects where workspace_id = ${caller.workspaceId}`)
      const owner = found.find(({ id }) => encodeId('prj', id) === body.word)
      const sender =
        body.word === 'sandbox'
          ? ({ kind: 'sandbox' } as const)
          : {
              kind: 'domain' as const,
              name: body.word,
              project: owner && { ...owner, workspaceId: caller.workspaceId },
            }
      return { projectId: encodeId('prj', projectOfSender(project, sender).id) }
    },
  }),
  ...(['/toys', '/toys/other'] as const).map((path) =>
    route({
      method: 'POST',
      path,
      scope: 'email:send',
      context: 'project',
      summary: 'Make a toy, once per Idempotency-Key.',
      body: Toy,
      reply: { 202: Made },
      honoursIdempotencyKey: true,
      handle: async ({ project, body, idempotency }) =>
        accepted(
          await db.transaction((tx) =>
            once(tx, project.id, idempotency, async () => {
              const made = await tx.one(sql<{ id: number; word: string }>`
              insert into toys (word) values (${body.word}) returning id, word`)
              if (body.word === 'refused') throw new DomainError('invalid_state', 'No.')
              return made
            }),
          ),
        ),
    }),
  ),
  route({
    method: 'GET',
    path: '/toys/broken',
    scope: 'email:send',
    context: 'workspace',
    summary: 'Fails with a secret in its message.',
    reply: { 200: Where },
    handle: async () => {
      throw new Error('password=hunter2')
    },
  }),
]

/** What a service does that honours the header: claim, work and the value to repeat in one transaction. */
async function once<T>(
  tx: Tx,
  project: ProjectId,
  key: IdempotencyKey | undefined,
  work: () => Promise<T>,
): Promise<Replayable<T>> {
  if (key === undefined) return { value: await work(), isReplay: false }
  const claim = { ...key, project }
  const state = (await claimKeys(tx, [claim])).get(claimKeyOf(claim))
  if (state?.isFirst === false) {
    if (state.earlier instanceof DomainError) throw state.earlier
    return state.earlier as Replayable<T>
  }
  const value = await work()
  await keepValues(tx, [{ claim, value }])
  return { value, isReplay: false }
}
