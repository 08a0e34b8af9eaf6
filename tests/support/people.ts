import { argon2Sync } from 'node:crypto'
import type { Visitor } from '../../src/core/caller.ts'
import { operator } from '../../src/app/operator.ts'
import { decodeId, encodeId, newId, type PersonId, type ProjectId, type WorkspaceId } from '../../src/core/ids.ts'
import type { Role } from '../../src/core/roles.ts'
import { sessionCookie } from '../../src/http/persons.ts'
import { joinIn } from '../../src/resources/people/new-person.ts'
import { sql } from '../../src/storage/sql.ts'
import { Authenticator } from './authenticator.ts'
import { Client, type RequestOptions, type Reply } from './client.ts'
import { totpNow } from './totp.ts'
import { created, type Tenant } from './world.ts'

/** A browser with a cookie, as far as a server can tell: every request says that it comes from a page of ours. */
export class Browser extends Client {
  #cookie: string | undefined
  readonly project: string | undefined
  readonly #name: string

  constructor(url: string, name: string, cookie?: string, project?: string) {
    super(url, undefined)
    this.#name = name
    this.#cookie = cookie
    this.project = project
  }

  /** The token of the session; undefined for a visitor who is not signed in. */
  get cookie(): string | undefined {
    return this.#cookie
  }

  /** The same cookie in another project, or in none. */
  in(project: string | undefined): Browser {
    return new Browser(this.url, this.#name, this.#cookie, project)
  }

  /** The same cookie, as another server or a copy of the browser would have it. */
  copy(url = this.url): Browser {
    return new Browser(url, this.#name, this.#cookie, this.project)
  }

  override async request<B = Record<string, unknown>>(
    method: string,
    path: string,
    { headers = {}, body }: RequestOptions = {},
  ): Promise<Reply<B>> {
    const reply = await super.request<B>(method, path, {
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(this.#cookie === undefined ? {} : { cookie: `${this.#name}=${this.#cookie}` }),
        ...(this.project === undefined ? {} : { 'x-service-project-id': this.project }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    })
    this.#keep(reply.headers.getSetCookie())
    return reply
  }

  #keep(cookies: readonly string[]): void {
    for (const line of cookies) {
      const [, name, value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (name === this.#name) this.#cookie = value === '' ? undefined : value
    }
  }
}

interface WhoSignsIn {
  /** In the workspace, or in `project` if one is named. */
  role: Role
  /** The id of a project; the client then names it in every call. */
  project?: string | undefined
  name?: string
  email?: string
  /** Without one there is no way to sign in again. */
  password?: string
  /** The id of another workspace than that of the installation. */
  workspace?: string
}

export interface SignedIn {
  client: Browser
  personId: PersonId
  /** As clients see it. */
  id: string
  email: string
}

/** The browser of a visitor who is not signed in. */
export const visitor = ({ api, config }: Pick<Tenant, 'api' | 'config'>): Browser =>
  new Browser(api.url, sessionCookie(config.publicUrl))

/** Makes a person with a role and a session that counts as confirmed. */
export async function signIn(
  here: Pick<Tenant, 'api' | 'config' | 'db' | 'services'>,
  { role, project, workspace, password, name = `A ${role}`, email = `${newId<'per'>()}@example.com` }: WhoSignsIn,
): Promise<SignedIn> {
  const { api, config, db, services } = here
  const workspaceId = workspace === undefined ? (await services.projects.workspace())! : decodeId('acc', workspace)!
  const projectId = project === undefined ? undefined : (decodeId('prj', project) as ProjectId)
  const { token, personId } = await db.transaction((tx) =>
    joinIn(tx, services.sessions, anyVisitor(), {
      workspaceId,
      name,
      email,
      emailVerified: true,
      password: password === undefined ? null : cheaplyHashed(password),
      passkey: null,
      roles:
        projectId === undefined
          ? { workspace: role, projects: [] }
          : { workspace: null, projects: [{ projectId, role }] },
    }),
  )
  const client = new Browser(api.url, sessionCookie(config.publicUrl), token, project)
  return { client, personId, id: encodeId('per', personId), email }
}

/** One more session of a person, in a browser of its own. */
export async function signInAgain(
  { api, config, db, services }: Pick<Tenant, 'api' | 'config' | 'db' | 'services'>,
  personId: PersonId,
  workspace?: WorkspaceId,
): Promise<Browser> {
  const workspaceId = workspace ?? (await services.projects.workspace())!
  const { token } = await db.transaction((tx) =>
    services.sessions.startIn(tx, { id: personId, workspaceId }, anyVisitor()),
  )
  return new Browser(api.url, sessionCookie(config.publicUrl), token)
}

/** As if ten minutes had passed since the person last confirmed. */
export const letConfirmationLapse = (
  { db }: Pick<Tenant, 'db'>,
  { personId }: Pick<SignedIn, 'personId'>,
): Promise<unknown> =>
  db.run(sql`update sessions set confirmed_at = clock_now() - interval '601 s' where person_id = ${personId}`)

const anyVisitor = (): Visitor => ({
  address: '127.0.0.1',
  household: '127.0.0.1',
  userAgent: 'test',
  tokenHash: undefined,
  requestId: encodeId('req', newId<'req'>()),
})

/** Hashes a password at the lowest cost, as an old row may hold it: a test with many attempts takes no time for it. */
export function cheaplyHashed(password: string): string {
  const nonce = Buffer.alloc(16, 1)
  const cost = { nonce, memory: 8, passes: 1, parallelism: 1, tagLength: 32 }
  const tag = argon2Sync('argon2id', { message: Buffer.from(password), ...cost })
  const text = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=8,t=1,p=1$${text(nonce)}$${text(tag)}`
}

export interface OwnWorkspace {
  workspaceId: WorkspaceId
  /** As clients see it. */
  id: string
  /** In the order of their ids. */
  projects: readonly string[]
  /** With a workspace key that has full access. */
  key: Client
}

/** A workspace beside that of the installation, with two projects and no person: much cheaper than a world. */
export async function newWorkspace({
  api,
  db,
  services,
}: Pick<Tenant, 'api' | 'db' | 'services'>): Promise<OwnWorkspace> {
  const workspaceId = newId<'acc'>()
  const projects = [newId<'prj'>(), newId<'prj'>()].toSorted()
  await db.run(sql`insert into workspaces (id, name) values (${workspaceId}, 'another')`)
  await db.run(sql`
    insert into projects (id, workspace_id, name)
    select id, ${workspaceId}::uuid, 'project' from unnest(${projects}::uuid[]) as id`)
  const fields = { name: 'test', fullAccess: true }
  const { secret } = await services.keys.create(operator(workspaceId), { type: 'operator' }, fields)
  const ids = projects.map((id) => encodeId('prj', id))
  return { workspaceId, id: encodeId('acc', workspaceId), projects: ids, key: api.with(secret) }
}

export const PASSWORD = 'gravel teapot under nine bridges'

/** The first owner, by the link that the start prints. */
export async function setUp(
  here: Pick<Tenant, 'api' | 'config' | 'services'>,
  fields: Record<string, unknown> = { password: PASSWORD },
): Promise<Browser> {
  const browser = visitor(here)
  const token = await setupToken(here)
  created(await browser.post('/session/setup', { token, name: 'Ada', email: OWNER, ...fields }))
  return browser
}

export const OWNER = 'ada@example.com'

export async function setupToken({ services }: Pick<Tenant, 'services'>): Promise<string> {
  const link = await services.people.settingUp.newLink((await services.projects.workspace())!)
  return tokenIn(link!)
}

/** What stands behind the # of a link. */
export const tokenIn = (link: string): string => link.split('#')[1]!

/** Invites a person, who accepts with a password. */
export async function join(
  here: Pick<Tenant, 'api' | 'config'>,
  inviter: Client,
  email: string,
  roles: Record<string, unknown>,
): Promise<Browser> {
  const { link } = created(await inviter.post<{ link: string }>('people/invitations', { email, ...roles }))
  const browser = visitor(here)
  const fields = { token: tokenIn(link), name: email.split('@')[0], password: PASSWORD }
  created(await browser.post('/session/invitation', fields))
  return browser
}

/** Accepts an invitation with a new passkey: that takes less time than a password. */
export async function acceptWithPasskey(
  here: Pick<Tenant, 'api' | 'config'>,
  link: string,
  authenticator = new Authenticator(here.config.publicUrl),
): Promise<{ browser: Browser; reply: Reply<{ person: { id: string } }> }> {
  const browser = visitor(here)
  const credential = authenticator.register(await challengeFor(browser))
  const joining = { token: tokenIn(link), name: 'New', credential }
  const reply = await browser.post<{ person: { id: string } }>('/session/invitation', joining)
  // A 503 has used the challenge up: the whole attempt is made again.
  return reply.status === 503 ? acceptWithPasskey(here, link, authenticator) : { browser, reply }
}

/** What an authenticator has to sign, for a visitor or, with the other path, for a new passkey of the person. */
export const challengeFor = async (browser: Browser, path = '/session/passkey/options'): Promise<string> =>
  (await browser.post<{ challenge: string }>(path)).body.challenge

/** Adds a passkey to the person of this browser. */
export async function addPasskey(
  browser: Browser,
  authenticator: Authenticator,
  name = 'Key',
): Promise<{ id: string }> {
  const credential = authenticator.register(await challengeFor(browser, '/session/me/passkeys/options'))
  return created(await browser.post<{ id: string }>('/session/me/passkeys', { name, credential }))
}

/** Sets up the codes of an authenticator for the person of this browser. */
export async function enableTotp(browser: Browser): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = (await browser.post<{ secret: string }>('/session/me/totp')).body
  const code = totpNow(secret)
  const { status, text, body } = await browser.post<{ recoveryCodes: string[] }>('/session/me/totp/confirm', { code })
  if (status !== 200) throw new Error(`the code answered ${status}: ${text}`)
  return { secret, ...body }
}

/** Signs in with the password of `setUp` and `join`. */
export const signInWithPassword = (
  here: Pick<Tenant, 'api' | 'config'>,
  email: string,
  more: Record<string, unknown> = {},
  browser = visitor(here),
): Promise<{ browser: Browser; reply: Reply }> =>
  browser.post('/session/password', { email, password: PASSWORD, ...more }).then((reply) => ({ browser, reply }))
