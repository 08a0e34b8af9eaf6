import { expect } from 'vitest'
import type { Services } from '../../src/app/compose.ts'
import { decodeId } from '../../src/core/ids.ts'
import type { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'
import type { Client, Reply } from './client.ts'
import { world, type World } from './world.ts'

export interface View {
  id: string
  name: string
  alias: string | null
  subject: string
  html: string
  text: string
  variables: { name: string; required: boolean; fallback: string | null }[]
  starter: string | null
  version: number
  createdAt: string
  updatedAt: string
}

export interface Listed {
  data: View[]
  hasMore: boolean
  nextCursor: string | null
}

/** What a new project has, in the order in which its list shows them. */
export const starterNames = [
  'welcome',
  'verify-address',
  'password-reset',
  'receipt',
  'invoice',
  'invitation',
  'notification',
  'newsletter',
]

export const preview = (client: Client, { id }: { id: string }, variables: unknown = {}) =>
  client.post(`templates/${id}/preview`, { variables })

/** Where the problems of a refusal are. */
export function pathsOf({ status, body, text }: Reply, expected: number, code: string): string[] {
  expect([status, body['code']], text).toEqual([expected, code])
  return (body['details'] as { path: string }[]).map(({ path }) => path)
}

/** What was kept of the template with this name, first version first. */
export const versionsOf = (db: Database, name: string) =>
  db.all(sql<{ version: number; subject: string; html: string; text: string }>`
    select kept.version, kept.subject, kept.html, kept.text
      from template_versions kept
      join templates on templates.id = kept.template_id
     where templates.name = ${name}
     order by kept.version`)

/** An installation with a function that gives its first project so much to fill in that nothing further is taken. */
export async function worldThatCanBeBusy(): Promise<World & { keepBusy(): { release(): Promise<void> } }> {
  const houses: Services[] = []
  const noRoutes = (services: Services): [] => (houses.push(services), [])
  const here = await world({ routes: noRoutes })
  const text = '{% for i in (1..9999) %}{% assign t = v | url_encode %}{% endfor %}'
  const sources = { subject: '', preview: '', html: '', text }
  const question = { type: 'fill', sources, variables: { v: ' '.repeat(2_500) } } as const
  return {
    ...here,
    keepBusy: () => {
      const [{ renderers }] = houses as [Services]
      for (let i = 0; i < 1_000; i++) void renderers.ask(decodeId('prj', here.projectId)!, question, Infinity)
      return { release: () => renderers.stop() }
    },
  }
}

/** Too long to be filled in by the thread that serves everybody. */
export const longHtml = `<p>Hello.</p>${'<p>Lorem ipsum.</p>'.repeat(5_000)}`
