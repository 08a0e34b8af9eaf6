import { sql, type Query } from '../../src/storage/sql.ts'
import type { Client } from './client.ts'
import { eventually } from './eventually.ts'
import { created, type World } from './world.ts'

export interface RunSeen {
  id: string
  version: number
  contactId: string
  email: string | null
  status: string
  stepId: string | null
  nextDueAt: string | null
  startedAt: string
  finishedAt: string | null
  stopReason: string | null
  problem: string | null
  results: { stepId: string; type: string; at: string; result: string; until: string | null; emailId: string | null }[]
}

export interface AutomationSeen {
  id: string
  name: string
  enabled: boolean
  version: number
  steps: { id: string; type: string; [field: string]: unknown }[]
  stats: Record<string, number>
  recentRuns: RunSeen[]
  [field: string]: unknown
}

export const sandboxSender = { from: 'sandbox@sandbox.posthouse.test' }

export const mailStep = (subject: string): Record<string, unknown> => ({
  type: 'email',
  id: subject.replaceAll(/\W+/g, '-'),
  subject,
  html: `<p>${subject}</p>`,
})

/** Enabled, from the sandbox, unless the fields say otherwise. */
export const newAutomation = async (client: Client, fields: Record<string, unknown>): Promise<AutomationSeen> =>
  created(
    await client.post<AutomationSeen>('automations', {
      name: 'Welcome',
      sender: sandboxSender,
      enabled: true,
      steps: [mailStep('Hello')],
      ...fields,
    }),
  )

export const automationOf = async (client: Client, id: string): Promise<AutomationSeen> =>
  (await client.get<AutomationSeen>(`automations/${id}`)).body

export const runsOf = async (client: Client, id: string, query = ''): Promise<RunSeen[]> =>
  (await client.get<{ data: RunSeen[] }>(`automations/${id}/runs?limit=100&${query}`)).body.data

/** The only run there is, once it is as asked for. */
export const runBecomes = (client: Client, id: string, what: string, is: (run: RunSeen) => boolean): Promise<RunSeen> =>
  eventually(what, async () => {
    const runs = await runsOf(client, id)
    return runs.length === 1 && is(runs[0]!) && runs[0]!
  })

/** Everything that is due now, without a worker. */
export async function moveOn({ services }: Pick<World, 'services'>): Promise<void> {
  while ((await services.executor.advanceDue()) > 0);
}

/** The mails that runs have sent, as the database has them. */
export const mailsOf = (db: World['db']): Promise<{ to: string; step: string }[]> =>
  db.all(sql<{ to: string; step: string }>`
    select addresses #>> '{recipients,0,email}' as to, step from emails where run_id is not null order by emails.id`)

/** Runs that are due and have not been moved on. */
export const overdue = ({ db }: Pick<World, 'db'>): Promise<number> =>
  countOf(db, sql`status = 'waiting' and not parked and next_due_at <= clock_now()`)

/** Runs that are held. */
export const parked = ({ db }: Pick<World, 'db'>): Promise<number> => countOf(db, sql`parked`)

const countOf = async (db: World['db'], which: Query<unknown>): Promise<number> =>
  (await db.one(sql<{ n: number }>`select count(*) as n from automation_runs where ${which}`)).n

/** Of those that hand back what was held. */
export const jobsWaiting = async ({ db }: Pick<World, 'db'>): Promise<number> =>
  (
    await db.one(sql<{ n: number }>`
      select count(*) as n
        from jobs
       where kind = 'automations.resume' and due_at <= clock_now()`)
  ).n
