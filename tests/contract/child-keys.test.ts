import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Actor, Caller } from '../../src/core/caller.ts'
import { DomainError } from '../../src/core/errors.ts'
import { encodeId } from '../../src/core/ids.ts'
import { hashKeySecret } from '../../src/core/key-secret.ts'
import type { Role } from '../../src/core/roles.ts'
import { hashToken } from '../../src/core/secret-token.ts'
import type { Services } from '../../src/app/compose.ts'
import { describedRoutes } from '../../src/app/describe.ts'
import { personCaller } from '../../src/http/persons.ts'
import { signIn } from '../support/people.ts'
import { seedFor } from '../support/seed.ts'
import { world, type World } from '../support/world.ts'
import { nameOf } from './requests.ts'
import { givable } from './roles.ts'
import { ask, wishOf, type Power, type Wish } from './wishes.ts'

const PAIRS = 5_000
const AT_ONCE = 10
const UNKNOWN_PROJECT = 'prj_00000000000000000000000000'

interface Maker {
  caller: Caller
  power: Power
}

test('a key is never broader than the key or person that makes it: not in scope, project, time, nor in what it reads', async () => {
  const here = await world()
  const { services, api, projectApi, projectId, newProject } = here
  const seed = seedFor('child keys')
  const projects = [projectId, await newProject('second'), await newProject('third')]
  const asks = fc.sample(fc.tuple(fc.nat(), ask), { seed, numRuns: PAIRS })
  const makers: Maker[] = [await identify(services, api.key!), await identify(services, projectApi.key!)]
  const people = [
    await personWith(here, 'owner'),
    await personWith(here, 'admin', projectId),
    await personWith(here, 'developer'),
    await personWith(here, 'developer', projectId),
  ]
  const outcomes: Record<string, number> = {}

  async function attempt([dice, asked]: (typeof asks)[number]): Promise<void> {
    // Most descendants are bound to a project; the first maker, who is not, keeps its share, and so do people.
    const maker = [makers[0]!, people[(dice >> 2) % people.length]!][dice % 4] ?? makers[dice % makers.length]!
    const wish = wishOf(asked, maker.power, [...projects, UNKNOWN_PROJECT])
    const context = JSON.stringify({ maker: maker.power, wish, seed })
    const refusals = refusalsOf(maker.power, wish, projects)
    const answer = await create(services, maker.caller, wish)
    const outcome = answer instanceof DomainError ? answer.code : 'made'
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    if (answer instanceof DomainError) {
      expect(refusals, context).toContain(answer.code)
      return
    }
    expect(refusals, context).toEqual([])
    // What the key really opens: read as it is for every request, not as the answer describes it.
    const child = await identify(services, answer)
    expect(isWithin(child.power, maker.power), `${context} made ${JSON.stringify(child.power)}`).toBe(true)
    expect(child.power, context).toEqual(powerOf(maker.power, wish))
    // Children make children: what holds from each key to the next holds for all who descend from it.
    if (isWithin({ ...child.power, scopes: ['api-keys:write'] }, child.power)) makers.push(child)
  }
  for (let i = 0; i < PAIRS; i += AT_ONCE) await Promise.all(asks.slice(i, i + AT_ONCE).map(attempt))

  expect(outcomes['made']).toBeGreaterThan(PAIRS / 5)
  for (const code of ['insufficient_scope', 'project_not_allowed', 'validation_error', 'not_found']) {
    expect(outcomes[code], `${code} in ${JSON.stringify(outcomes)}`).toBeGreaterThan(PAIRS / 500)
  }
}, 180_000)

async function create(services: Services, caller: Caller, wish: Wish): Promise<string | DomainError> {
  try {
    return (await services.keys.create(caller, actorOf(caller), { name: 'child', ...wish })).secret
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}

const actorOf = (caller: Caller): Actor =>
  caller.type === 'key'
    ? { type: 'key', keyId: caller.keyId, requestId: 'req_test' }
    : { type: 'person', personId: caller.personId, sessionId: caller.sessionId, requestId: 'req_test' }

/** A person with a role in the workspace, or in one project of it, as they are when they ask for a key. */
async function personWith(here: World, role: Role, projectId: string | null = null): Promise<Maker> {
  const { client } = await signIn(here, { role, project: projectId ?? undefined })
  const session = await here.services.sessionIdentifier.identify(hashToken(client.cookie!), undefined)
  const caller = personCaller(
    session!,
    false,
    describedRoutes().find((route) => nameOf(route) === 'POST /api-keys')!,
  )
  return { caller, power: { scopes: givable(role), projectId, expiresAt: null, contentAccess: 'all' } }
}

async function identify(services: Services, secret: string): Promise<Maker> {
  const { caller } = (await services.keyIdentifier.identify(hashKeySecret(secret), undefined))!
  const power = {
    scopes: caller.fullAccess ? ['*'] : caller.scopes,
    projectId: caller.projectId && encodeId('prj', caller.projectId),
    expiresAt: caller.expiresAt?.toISOString() ?? null,
    contentAccess: caller.contentAccess,
  }
  return { caller, power }
}

const isWithin = (child: Power, maker: Power): boolean =>
  (maker.scopes.includes('*') || child.scopes.every((scope) => maker.scopes.includes(scope))) &&
  (maker.projectId === null || child.projectId === maker.projectId) &&
  (maker.expiresAt === null || (child.expiresAt !== null && child.expiresAt <= maker.expiresAt)) &&
  width[child.contentAccess] <= width[maker.contentAccess]

const width = { all: 2, own: 1, none: 0 }

const wantsAll = ({ scopes, fullAccess }: Wish): boolean => fullAccess === true || scopes?.includes('*') === true

/** The rule, told a second time. Empty when the maker may have what it asks for. */
function refusalsOf(maker: Power, wish: Wish, projects: readonly string[]): string[] {
  const { scopes, fullAccess, projectId, expiresAt, contentAccess } = wish
  const refusals: string[] = []
  const contradicts = wantsAll(wish)
    ? fullAccess === false || scopes?.some((scope) => scope !== '*')
    : scopes === undefined
  if (contradicts) refusals.push('validation_error')
  const wanted = wantsAll(wish) ? ['*'] : (scopes ?? [])
  if (!maker.scopes.includes('*') && !wanted.every((scope) => maker.scopes.includes(scope))) {
    refusals.push('insufficient_scope')
  }
  if (contentAccess !== undefined && width[contentAccess] > width[maker.contentAccess]) {
    refusals.push('insufficient_scope')
  }
  if (projectId !== undefined && maker.projectId !== null && projectId !== maker.projectId) {
    refusals.push('project_not_allowed')
  }
  if (maker.projectId === null && projectId && !projects.includes(projectId)) refusals.push('not_found')
  if (expiresAt !== undefined) {
    const end = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)
    const last = maker.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(maker.expiresAt)
    if (end <= Date.now() || end > last) refusals.push('validation_error')
  }
  return refusals
}

const powerOf = (maker: Power, wish: Wish): Power => ({
  scopes: wantsAll(wish) ? ['*'] : [...new Set(wish.scopes)],
  projectId: wish.projectId === undefined ? maker.projectId : wish.projectId,
  expiresAt: wish.expiresAt === undefined ? maker.expiresAt : wish.expiresAt && new Date(wish.expiresAt).toISOString(),
  contentAccess: wish.contentAccess ?? maker.contentAccess,
})
