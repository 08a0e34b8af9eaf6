import { words } from '../../words/words.ts'
import type { Key } from './data.ts'

const said = words.keys

type KnownScope = keyof typeof said.scopes

/** What a key may do, in a few words. */
export function scopesInWords({
  fullAccess,
  scopes,
  projectId,
}: Pick<Key, 'fullAccess' | 'scopes' | 'projectId'>): string {
  if (fullAccess) return projectId === null ? said.everythingAnywhere : said.everything
  return said.together(scopes.map((scope) => (isKnown(scope) ? said.scopes[scope] : scope)))
}

const isKnown = (scope: string): scope is KnownScope => Object.hasOwn(said.scopes, scope)

export const grantInWords = (scope: string): string | undefined => (isKnown(scope) ? said.grants[scope] : undefined)
