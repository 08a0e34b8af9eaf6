import { decodeId, encodeId, newId, type PersonId, type ProjectId } from '../../src/core/ids.ts'
import type { Role } from '../../src/core/roles.ts'
import { sessionCookie } from '../../src/http/persons.ts'
import { joinIn } from '../../src/resources/people/new-person.ts'
import { Client, type RequestOptions, type Reply } from './client.ts'
import type { Tenant } from './world.ts'

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

  /** The token of the session; undefined for somebody who is not signed in. */
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
  project?: string
  name?: string
  email?: string
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

/** Somebody who is not signed in. */
export const visitor = ({ api, config }: Pick<Tenant, 'api' | 'config'>): Browser =>
  new Browser(api.url, sessionCookie(config.publicUrl))

/** Makes a person with a role and a session that counts as confirmed, without any way to sign in again. */
export async function signIn(
  here: Pick<Tenant, 'api' | 'config' | 'db' | 'services'>,
  { role, project, workspace, name = `A ${role}`, email = `${newId<'per'>()}@example.com` }: WhoSignsIn,
): Promise<SignedIn> {
  const { api, config, db, services } = here
  const workspaceId = workspace === undefined ? (await services.projects.workspace())! : decodeId('acc', workspace)!
  const projectId = project === undefined ? undefined : (decodeId('prj', project) as ProjectId)
  const { token, personId } = await db.transaction((tx) =>
    joinIn(
      tx,
      services.sessions,
      {
        address: '127.0.0.1',
        household: '127.0.0.1',
        userAgent: 'test',
        tokenHash: undefined,
        requestId: encodeId('req', newId<'req'>()),
      },
      {
        workspaceId,
        name,
        email,
        emailVerified: true,
        password: null,
        passkey: null,
        roles:
          projectId === undefined
            ? { workspace: role, projects: [] }
            : { workspace: null, projects: [{ projectId, role }] },
      },
    ),
  )
  const client = new Browser(api.url, sessionCookie(config.publicUrl), token, project)
  return { client, personId, id: encodeId('per', personId), email }
}

export const PASSWORD = 'gravel teapot under nine bridges'

/** The first owner, by the link that the start prints. */
export async function setUp(
  here: Pick<Tenant, 'api' | 'config' | 'services'>,
  fields: Record<string, unknown> = { password: PASSWORD },
): Promise<Browser> {
  const browser = visitor(here)
  const token = await setupToken(here)
  const reply = await browser.post('/session/setup', { token, name: 'Ada', email: OWNER, ...fields })
  if (reply.status !== 201) throw new Error(`set-up answered ${reply.status}: ${reply.text}`)
  return browser
}

export const OWNER = 'ada@example.com'

export async function setupToken({ services }: Pick<Tenant, 'services'>): Promise<string> {
  const link = await services.people.settingUp.newLink((await services.projects.workspace())!)
  return link!.split('#')[1]!
}

/** Somebody whom `inviter` invites, and who accepts with a password. */
export async function join(
  here: Pick<Tenant, 'api' | 'config'>,
  inviter: Client,
  email: string,
  roles: Record<string, unknown>,
): Promise<Browser> {
  const invitation = await inviter.post<{ link: string }>('people/invitations', { email, ...roles })
  if (invitation.status !== 201) throw new Error(`the invitation answered ${invitation.status}: ${invitation.text}`)
  const browser = visitor(here)
  const token = invitation.body.link.split('#')[1]
  const reply = await browser.post('/session/invitation', { token, name: email.split('@')[0], password: PASSWORD })
  if (reply.status !== 201) throw new Error(`joining answered ${reply.status}: ${reply.text}`)
  return browser
}

/** Signs in with the password of `setUp` and `join`. */
export const signInWithPassword = (
  here: Pick<Tenant, 'api' | 'config'>,
  email: string,
  more: Record<string, unknown> = {},
  browser = visitor(here),
): Promise<{ browser: Browser; reply: Reply }> =>
  browser.post('/session/password', { email, password: PASSWORD, ...more }).then((reply) => ({ browser, reply }))
