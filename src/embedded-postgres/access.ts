/**
 * Controls access to the embedded database. Its superuser, `posthouse`, is for the start and for the operator; the
 * application uses `posthouse_app`, which owns everything in the database and has no other rights on the server. Both
 * have a password in DATA_DIR/pgpass (a PGPASSFILE, so that pg_dump can use it too), and no client gets in without one.
 *
 * A new cluster, one of version 0.1 and one whose passwords are lost are alike: every client on the socket, which only
 * the owner of its folder can reach, is let in until the passwords are set. Each step can be repeated.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { linkSync, lchownSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { isRoot, type User } from './data-directory.ts'

const DATABASE = 'posthouse'
export const SUPERUSER = 'posthouse'
const APPLICATION = 'posthouse_app'

/** No other code takes an advisory lock on it in these databases. */
const ACCESS_LOCK = 7_015_205

interface Passwords {
  superuser: string
  application: string
}

export class Access {
  readonly #cluster: string
  readonly #socket: string
  readonly #passwords: Passwords

  constructor(cluster: string, socket: string) {
    this.#cluster = cluster
    this.#socket = socket
    this.#passwords = passwordsIn(join(dirname(cluster), 'pgpass'), statSync(cluster))
  }

  /** The application uses this URL for everything. */
  get url(): string {
    return this.#urlOf(APPLICATION, this.#passwords.application, DATABASE)
  }

  get superuserUrl(): string {
    return this.#urlOf(SUPERUSER, this.#passwords.superuser, DATABASE)
  }

  /** A superuser connects here before our database exists. */
  get maintenanceUrl(): string {
    return this.#urlOf(SUPERUSER, this.#passwords.superuser, 'postgres')
  }

  /** The server has other passwords than the file: the owner of its files sets new ones. */
  letIn(pid: number): void {
    this.#writeRules('trust')
    process.kill(pid, 'SIGHUP')
  }

  /** Creates the roles and the database where they are missing, and requires a password from then on. */
  async establish(client: pg.Client): Promise<void> {
    const isOpen = /^local.*trust/m.test(readFileSync(this.#rules, 'utf8'))
    if (isOpen) await setPasswords(client, this.#passwords)
    await ensureDatabase(client)
    await this.#handOver()
    if (!isOpen) return
    this.#writeRules('scram-sha-256')
    await client.query('select pg_reload_conf()')
  }

  get #rules(): string {
    return join(this.#cluster, 'pg_hba.conf')
  }

  /** The server listens on its socket only. Complete before it has the name, and never through a link. */
  #writeRules(method: 'trust' | 'scram-sha-256'): void {
    const draft = `${this.#rules}.${randomUUID()}`
    const rules = ['# Written by Posthouse.', `local all all ${method}`, `local replication all ${method}`, '']
    try {
      writeFileSync(draft, rules.join('\n'), { flag: 'wx', mode: 0o600 })
      giveTo(statSync(this.#cluster), draft)
      renameSync(draft, this.#rules)
    } finally {
      rmSync(draft, { force: true })
    }
  }

  /**
   * Objects that version 0.1 made, or a superuser restored, belong to a superuser; they are handed to the application's
   * role.
   */
  async #handOver(): Promise<void> {
    const client = new pg.Client({ connectionString: this.superuserUrl })
    client.on('error', () => {})
    await client.connect()
    try {
      await client.query(handOver)
    } finally {
      await client.end().catch(() => {})
    }
  }

  /** Port and encryption are said although they are the defaults: PGPORT and PGSSLMODE are meant for other servers. */
  #urlOf(user: string, password: string, database: string): string {
    const query = `host=${encodeURIComponent(this.#socket)}&port=5432&sslmode=disable`
    return `postgres://${user}:${password}@/${database}?${query}`
  }
}

/**
 * When several processes start together, one writes the file: the link to its name succeeds once, and the file is
 * complete by then.
 */
function passwordsIn(file: string, owner: User): Passwords {
  const draft = `${file}.${randomUUID()}`
  const lines = [SUPERUSER, APPLICATION].map((user) => `*:*:*:${user}:${randomBytes(24).toString('base64url')}\n`)
  for (;;) {
    try {
      const known = new Map(readFileSync(file, 'utf8').split('\n').map(userAndPassword))
      const [superuser, application] = [known.get(SUPERUSER), known.get(APPLICATION)]
      if (superuser !== undefined && application !== undefined) return { superuser, application }
      rmSync(file)
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error
    }
    try {
      writeFileSync(draft, lines.join(''), { flag: 'wx', mode: 0o600, flush: true })
      giveTo(owner, draft)
      linkSync(draft, file)
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
    } finally {
      rmSync(draft, { force: true })
    }
  }
}

/** Does nothing unless we are root: another user owns the file already, and may not be in the group of the cluster. */
function giveTo({ uid, gid }: User, path: string): void {
  if (isRoot()) lchownSync(path, uid, gid)
}

const userAndPassword = (line: string): [string, string] => {
  const [, , , user = '', password = ''] = line.split(':')
  return [user, password]
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/**
 * The passwords are random, so guessing them is hopeless without making every new connection expensive. A statement of the
 * application that fails is the application's to report: the server would quote what it was given.
 */
const setPasswords = (client: pg.Client, { superuser, application }: Passwords): Promise<unknown> =>
  client.query(`
    begin;
    select pg_advisory_xact_lock(${ACCESS_LOCK});
    set local scram_iterations = 1;
    do $$ begin
      if not exists (select from pg_roles where rolname = '${APPLICATION}') then create role ${APPLICATION}; end if;
    end $$;
    alter role ${APPLICATION} login password '${application}';
    alter role ${APPLICATION} set log_min_messages = 'log';
    alter role ${SUPERUSER} password '${superuser}';
    commit`)

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
  if (rowCount !== 0) return
  try {
    await client.query(`create database ${DATABASE} owner ${APPLICATION}`)
  } catch (error) {
    if (!hasCode(error, '42P04')) throw error // duplicate_database: another start was quicker
  }
}

const handOver = `
  do $$
  declare
    statement text;
  begin
    perform pg_advisory_xact_lock(${ACCESS_LOCK});
    for statement in
      with theirs as (select oid from pg_namespace where nspname !~ '^(pg_|information_schema$)')
      select format('alter %s %s owner to ${APPLICATION}', kind, name)
        from (select 'database' as kind, quote_ident(datname) as name
                from pg_database where datname = current_database() and datdba = current_user::regrole
              union all
              select 'schema', oid::regnamespace::text
                from pg_namespace where oid in (select oid from theirs) and nspowner = current_user::regrole
              union all
              select 'table', oid::regclass::text
                from pg_class
               where relnamespace in (select oid from theirs) and relowner = current_user::regrole
                 and relkind in ('r', 'p', 'v', 'm', 'S')
                 -- The sequence of a column goes with its table.
                 and not exists (select from pg_depend
                                  where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('a', 'i')
                                    and refclassid = 'pg_class'::regclass and relkind = 'S')
              union all
              select 'routine', oid::regprocedure::text
                from pg_proc where pronamespace in (select oid from theirs) and proowner = current_user::regrole
              union all
              select 'type', oid::regtype::text
                from pg_type
               where typnamespace in (select oid from theirs) and typowner = current_user::regrole
                 and (typtype in ('e', 'd', 'r')
                      or typtype = 'c' and exists (select from pg_class where pg_class.oid = typrelid and relkind = 'c'))
             ) as things
    loop
      execute statement;
    end loop;
  end $$`
