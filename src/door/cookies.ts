import { sessionCookie } from '../http/persons.ts'

/** Lax, not strict: a person who follows a link in a mail of ours is still signed in. */
const attributes = (publicUrl: string): string =>
  `Path=/; HttpOnly; SameSite=Lax${publicUrl.startsWith('https:') ? '; Secure' : ''}`

export const keepCookie = (publicUrl: string, token: string, days: number): Record<string, string> => ({
  'set-cookie': `${sessionCookie(publicUrl)}=${token}; Max-Age=${days * 86_400}; ${attributes(publicUrl)}`,
})

export const dropCookie = (publicUrl: string): Record<string, string> => ({
  'set-cookie': `${sessionCookie(publicUrl)}=; Max-Age=0; ${attributes(publicUrl)}`,
})
