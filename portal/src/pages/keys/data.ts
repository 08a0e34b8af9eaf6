import type { CallOptions, Reply, Scope, Session } from '@posthouse/sdk'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RowsQuery } from '../../kit/list.tsx'
import { ask, askPages, call, refresh, useChange, type RowOf } from '../../shell/api.ts'
import type { Project } from '../../shell/session.ts'

export type Key = RowOf<'GET /api-keys'>
export type NewKey = Reply<'POST /api-keys'>

const allKeys = (): RowsQuery<Key> => askPages('GET /api-keys', { query: { limit: 100 } })

/** The API lists the keys of all projects at once, so those of the others are left out here. */
export function keysOf(project: string | null): RowsQuery<Key> {
  return {
    ...allKeys(),
    select: ({ pages, pageParams }) => ({
      pageParams,
      pages: pages.map((page) => ({ ...page, data: page.data.filter(({ projectId }) => projectId === project) })),
    }),
  }
}

/** The names of keys and people, as far as they are loaded and this person may see them, by their ids. */
export function useNames(project: Project): { keys: ReadonlyMap<string, string>; people: ReadonlyMap<string, string> } {
  const keys = useInfiniteQuery(allKeys())
  const people = useQuery({ ...ask('GET /people', { query: { limit: 100 } }), enabled: project.can('people:write') })
  return {
    keys: namesIn(keys.data?.pages.flatMap(({ data }) => data)),
    people: namesIn(people.data?.data),
  }
}

const namesIn = (things: readonly { id: string; name: string }[] = []): ReadonlyMap<string, string> =>
  new Map(things.map(({ id, name }) => [id, name]))

const DAY_MS = 86_400_000

export const isUnused = ({ lastUsedAt, createdAt }: Key, now: number): boolean =>
  now - Date.parse(lastUsedAt ?? createdAt) > 90 * DAY_MS

export const isExpired = ({ expiresAt }: Key, now: number): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now

export const useRevoke = () => useChange('DELETE /api-keys/:id', ['GET /api-keys'])

export const presets = ['send', 'read', 'marketing', 'all', 'some'] as const

export type Preset = (typeof presets)[number]

const scopesOf: Readonly<Record<'send' | 'read' | 'marketing', readonly Scope[]>> = {
  send: ['email:send'],
  read: ['email:send', 'receiving:read', 'domains:read', 'projects:read'],
  marketing: [
    'email:send',
    'projects:read',
    'templates:write',
    'audiences:write',
    'broadcasts:write',
    'automations:write',
    'suppressions:write',
  ],
}

/** What a person may give to a key: nobody gives more than they have. */
export interface Limits {
  scopes: readonly Scope[]
  /** Whether the key may have everything, what later versions bring included. */
  mayGiveAll: boolean
}

export function limitsOf({ roles, projects }: Session, project: Project): Limits {
  const inProject = roles.projects.find(({ projectId }) => projectId === project.id)?.role
  const mayGiveAll = roles.workspace === 'owner' || roles.workspace === 'admin' || inProject === 'admin'
  const scopes = projects.find(({ id }) => id === project.id)?.can ?? []
  return { scopes: scopes.filter((scope) => scope !== 'people:write'), mayGiveAll }
}

/** Those presets that this person can give whole. */
export const presetsWithin = ({ scopes }: Limits): Preset[] =>
  presets.filter(
    (preset) => preset === 'all' || preset === 'some' || scopesOf[preset].every((scope) => scopes.includes(scope)),
  )

export const expiries = ['never', 'month', 'quarter', 'year', 'date'] as const

export type Expiry = (typeof expiries)[number]

const daysOf: Readonly<Record<'month' | 'quarter' | 'year', number>> = { month: 30, quarter: 90, year: 365 }

export interface KeyWish {
  name: string
  preset: Preset
  scopes: readonly Scope[]
  contentAccess: 'all' | 'own' | 'none'
  expiry: Expiry
  expiresAt: string
}

type Body = CallOptions<'POST /api-keys'>['body']

function bodyOf(wish: KeyWish, project: string, { mayGiveAll, scopes }: Limits, now: number): Body {
  const { name, preset, expiry } = wish
  const days = expiry === 'never' || expiry === 'date' ? undefined : daysOf[expiry]
  const expiresAt = days === undefined ? wish.expiresAt : new Date(now + days * DAY_MS).toISOString()
  const ends = expiry === 'never' || expiresAt === '' ? {} : { expiresAt }
  const common = { name, projectId: project, ...ends }
  if (preset === 'all') return mayGiveAll ? { ...common, fullAccess: true } : { ...common, scopes: [...scopes] }
  if (preset === 'some') return { ...common, scopes: [...wish.scopes], contentAccess: wish.contentAccess }
  return { ...common, scopes: [...scopesOf[preset]], contentAccess: preset === 'send' ? 'none' : 'all' }
}

/** The answer holds the secret, so it is kept nowhere but with who asked. */
export function useCreateKey(
  project: string,
  limits: Limits,
): (wish: KeyWish, idempotencyKey: string) => Promise<NewKey> {
  const queries = useQueryClient()
  return async (wish, idempotencyKey) => {
    const key = await call('POST /api-keys', { body: bodyOf(wish, project, limits, Date.now()), idempotencyKey })
    refresh(queries, ['GET /api-keys'])
    return key
  }
}
