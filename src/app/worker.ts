import type { Logger } from 'pino'
import type { Config } from '../config/schema.ts'
import { JobRunner } from '../jobs/run.ts'
import { Database } from '../storage/postgres.ts'
import { allJobs } from './jobs.ts'

const CONCURRENCY = 4
/** Beside one for each job: to listen, and for the heartbeat. */
const CONNECTIONS = CONCURRENCY + 4

/** The process that does what nobody waits for. */
export async function startWorker(_: Config, databaseUrl: string, log: Logger): Promise<{ stop(): Promise<void> }> {
  const db = new Database({ url: databaseUrl, name: 'worker', connections: CONNECTIONS })
  const runner = new JobRunner({ db, jobs: allJobs(db), concurrency: CONCURRENCY, log, random: Math.random })
  await runner.start()
  return {
    stop: async () => {
      await runner.stop()
      await db.close()
    },
  }
}
