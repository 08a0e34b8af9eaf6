import { oneOf, text } from '../../kit/address.ts'

export const roleNames = ['owner', 'admin', 'developer', 'marketer', 'author', 'viewer'] as const

export const peopleSearch = { q: text(), role: oneOf(roleNames), projectId: text() }
