import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded, type EmbeddedPostgres } from '../../src/embedded-postgres/server.ts'
import { eventually } from './eventually.ts'
import { removeDataDirectory, temporaryDirectory } from './posthouse-process.ts'
import { processTable } from './process-table.ts'

/** Of the superuser, as they stand in an address. */
export const credentials = 'posthouse:secret'

/** A PostgreSQL of one test file's own, which may be stopped, filled up and badly configured. */
export class PrivateCluster {
  readonly dataDir = temporaryDirectory()
  readonly #settings: readonly string[]
  #server: EmbeddedPostgres | undefined

  constructor(settings: readonly string[] = []) {
    this.#settings = settings
    // The same for all of them, as for the servers that an operator lists in one address.
    const passwords = [credentials, 'posthouse_app:secret'].map((each) => `*:*:*:${each}\n`)
    writeFileSync(join(this.dataDir, 'pgpass'), passwords.join(''), { mode: 0o600 })
  }

  /** Its first database, for a superuser; the same before and after it was stopped. */
  get url(): string {
    return this.#server!.superuserUrl
  }

  async start(): Promise<this> {
    this.#server = await startEmbedded({ dataDir: this.dataDir, settings: this.#settings })
    return this
  }

  async stop(): Promise<void> {
    await this.#server?.stop()
  }

  /** Everything of it stands still, and nobody is told; answers how to let it go on. */
  freeze(): () => void {
    const [pid] = readFileSync(`${this.dataDir}/postgres/postmaster.pid`, 'utf8').split('\n')
    const postmaster = Number(pid)
    const children = processTable().filter(({ parent }) => parent === postmaster)
    const frozen = [postmaster, ...children.map((child) => child.pid)]
    for (const each of frozen) process.kill(each, 'SIGSTOP')
    return () => {
      for (const each of frozen) process.kill(each, 'SIGCONT')
    }
  }

  async remove(): Promise<void> {
    await removeDataDirectory(this.dataDir)
  }

  /** One session, for as long as the work takes. */
  async session<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: this.url })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }

  /** For the whole server, and in force when this returns; undefined takes the setting back. */
  async set(name: string, value: string | undefined): Promise<void> {
    await this.session(async (client) => {
      const { rows } = await client.query(`select boot_val from pg_settings where name = '${name}'`)
      await client.query(value === undefined ? `alter system reset ${name}` : `alter system set ${name} = ${value}`)
      await client.query('select pg_reload_conf()')
      const wanted = value ?? rows[0].boot_val
      await eventually(`${name} is ${wanted}`, () =>
        this.session(async (fresh) => (await fresh.query(`show ${name}`)).rows[0][name] === wanted),
      )
    })
  }
}
