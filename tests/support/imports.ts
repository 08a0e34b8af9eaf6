import { runJobs } from './audiences.ts'
import type { Client } from './client.ts'
import { accepted, type Tenant } from './world.ts'

export interface ImportSeen {
  id: string
  status: string
  map: Record<string, string> | null
  problem: string | null
  bytes: number
  processedBytes: number
  rows: { processed: number; created: number; updated: number; refused: number }
}

export const CSV = 'text/csv'
export const NDJSON = 'application/x-ndjson'

/** With a map, its columns are what it says. */
export const upload = (
  client: Client,
  audience: string,
  body: string | Buffer,
  type = CSV,
  map: Record<string, string> = {},
) => {
  const query = new URLSearchParams()
  for (const [title, field] of Object.entries(map)) query.append(`map[${title}]`, field)
  return client.request<ImportSeen>('POST', `audiences/${audience}/contacts/import?${query.toString()}`, {
    body: Buffer.from(body),
    headers: { 'content-type': type },
  })
}

/** Uploads, lets the jobs run, and reads what became of it. */
export async function imported(
  here: Tenant,
  audience: string,
  body: string | Buffer,
  type = CSV,
  map: Record<string, string> = {},
) {
  const { id } = accepted(await upload(here.projectApi, audience, body, type, map))
  await runJobs(here)
  const path = `audiences/${audience}/contacts/imports/${id}`
  const report = await here.projectApi.get(`${path}/errors`)
  const seen = (await here.projectApi.get<ImportSeen>(path)).body
  return { ...seen, report: report.text.split('\r\n').slice(1, -1) }
}
