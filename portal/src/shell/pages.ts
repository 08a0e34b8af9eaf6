import type { Scope } from '@posthouse/sdk'
import { useRouter } from '@tanstack/react-router'
import type { IconName } from '../kit/icons.tsx'
import { words } from '../words/words.ts'
import { useMaybeProject, useSession, mayAdminister, lastProject, projectIn } from './session.ts'

/** Who may see a page: those who may at least read what a scope is about, every signed-in person, or administrators. */
export type Access = Scope | 'anybody' | 'administrators'

type PageName = keyof typeof words.shell.pages

interface Entry {
  name: PageName
  icon: IconName
  /** The pattern of its row in `routes.tsx`. */
  pattern: string
  access: Access
  /** The second key after `g`. */
  key?: string
}

interface Group {
  name?: keyof typeof words.shell.groups
  entries: readonly Entry[]
}

/** The main navigation, in its order. An entry appears when `routes.tsx` has its page and the person may see it. */
const navigation: readonly Group[] = [
  {
    entries: [
      { name: 'overview', icon: 'home', pattern: '/p/$projectId/overview', access: 'anybody', key: 'o' },
      { name: 'emails', icon: 'mail', pattern: '/p/$projectId/emails', access: 'email:send', key: 'e' },
      { name: 'queue', icon: 'queue', pattern: '/p/$projectId/queue', access: 'stats:read', key: 'q' },
    ],
  },
  {
    name: 'write',
    entries: [
      { name: 'templates', icon: 'template', pattern: '/p/$projectId/templates', access: 'templates:write', key: 't' },
      { name: 'audiences', icon: 'people', pattern: '/p/$projectId/audiences', access: 'audiences:write', key: 'a' },
      {
        name: 'broadcasts',
        icon: 'broadcast',
        pattern: '/p/$projectId/broadcasts',
        access: 'broadcasts:write',
        key: 'b',
      },
      {
        name: 'automations',
        icon: 'automation',
        pattern: '/p/$projectId/automations',
        access: 'automations:write',
        key: 'u',
      },
    ],
  },
  {
    name: 'receive',
    entries: [
      { name: 'inbox', icon: 'inbox', pattern: '/p/$projectId/inbox', access: 'receiving:read', key: 'i' },
      {
        name: 'suppressions',
        icon: 'forbidden',
        pattern: '/p/$projectId/suppressions',
        access: 'suppressions:write',
        key: 's',
      },
    ],
  },
  {
    name: 'setUp',
    entries: [
      { name: 'domains', icon: 'globe', pattern: '/p/$projectId/domains', access: 'domains:read', key: 'd' },
      { name: 'webhooks', icon: 'webhook', pattern: '/p/$projectId/webhooks', access: 'webhooks:write', key: 'w' },
      { name: 'keys', icon: 'key', pattern: '/p/$projectId/keys', access: 'api-keys:write', key: 'k' },
      { name: 'sms', icon: 'speech', pattern: '/p/$projectId/sms', access: 'sms:read' },
    ],
  },
  {
    name: 'workspace',
    entries: [
      { name: 'log', icon: 'log', pattern: '/p/$projectId/log', access: 'anybody', key: 'l' },
      { name: 'settings', icon: 'settings', pattern: '/settings', access: 'anybody' },
    ],
  },
]

export interface PageLink {
  name: PageName
  label: string
  icon: IconName
  to: string
  key: string | undefined
}

export interface PageGroup {
  title: string | undefined
  links: readonly PageLink[]
}

/** The navigation of this person in this project; outside of projects, in the one that was looked at last. */
export function useNavigation(): readonly PageGroup[] {
  const project = useProjectOrLast()
  const maySee = useMaySee()
  const exists = usePageExists()
  return navigation
    .map(({ name, entries }) => ({
      title: name === undefined ? undefined : words.shell.groups[name],
      links: entries
        .filter(({ pattern, access }) => exists(pattern) && maySee(access))
        .filter(({ pattern }) => project !== undefined || !pattern.includes('$projectId'))
        .map((entry) => ({
          name: entry.name,
          label: words.shell.pages[entry.name],
          icon: entry.icon,
          to: entry.pattern.replace('$projectId', project?.id ?? ''),
          key: entry.key,
        })),
    }))
    .filter(({ links }) => links.length > 0)
}

export function useProjectOrLast() {
  const here = useMaybeProject()
  const session = useSession()
  return here ?? projectIn(session, lastProject(session))
}

export function useMaySee(): (access: Access) => boolean {
  const session = useSession()
  const project = useProjectOrLast()
  return (access) =>
    access === 'anybody' || (access === 'administrators' ? mayAdminister(session) : (project?.sees(access) ?? false))
}

/** Whether `routes.tsx` has a page of this pattern: nothing leads to a page that is not there. */
export function usePageExists(): (pattern: string) => boolean {
  const { routesByPath } = useRouter()
  return (pattern) => pattern in routesByPath
}

/** Whether `routes.tsx` has a page at an address, whatever its parameters are; what stands behind it may still be gone. */
export function useAddressExists(): (address: string) => boolean {
  const { routesByPath } = useRouter()
  const patterns = Object.keys(routesByPath)
    .filter((pattern) => pattern !== '/$thing')
    .map((pattern) => pattern.split('/'))
  return (address) => {
    const parts = (address.split(/[?#]/)[0] ?? '').split('/')
    return patterns.some(
      (pattern) =>
        pattern.length === parts.length && pattern.every((part, i) => part.startsWith('$') || part === parts[i]),
    )
  }
}
