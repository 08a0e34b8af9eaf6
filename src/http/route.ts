import type { Static, TSchema } from 'typebox'
import type { Actor, Caller, ProjectContext, Session, Visitor } from '../core/caller.ts'
import type { ErrorCode, Problem } from '../core/errors.ts'
import type { FileContent } from '../core/file-content.ts'
import type { Id, IdPrefix } from '../core/ids.ts'
import type { MailReference } from '../core/mail-reference.ts'
import type { Scope } from '../core/scopes.ts'
import type { IdempotencyKey } from '../storage/idempotency.ts'
import { joinedWords } from './openapi-words.ts'
import { showProject, withProjectId } from './project-ids.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * Where a call's project comes from.
 * - `none`: open to everybody, without a key.
 * - `workspace`: the call is about the workspace; a key bound to a project still sees no other.
 * - `project`: the key's project or the one that the header names; without one the call is refused.
 * - `sender`: as `project`, but a workspace key may leave it to the domain in `from`, which the service looks up.
 *
 * Outside of the API, where people come in, there is no project. Such a route takes no key, answers under our own hosts only,
 * and to our own pages only:
 * - `visitor`: anybody, signed in or not.
 * - `session`: somebody who is signed in.
 */
export type ContextKind = ApiContext | 'none' | DoorContext
export type ApiContext = 'workspace' | 'project' | 'sender'
export type DoorContext = 'visitor' | 'session'

const API_PREFIX = '/api/v1'

export const isAtDoor = ({ context }: { context: ContextKind }): boolean =>
  context === 'visitor' || context === 'session'

/** The path under which a route is served. */
export const urlOf = (route: { context: ContextKind; path: string }): string =>
  isAtDoor(route) ? route.path : `${API_PREFIX}${route.path}`

export const isOfApi = (url: string | undefined): boolean => url?.startsWith(`${API_PREFIX}/`) === true

/**
 * The parameters of a path: what the id names, `message` for the id of an email or of one of its recipients as webhooks
 * tell it, or `text` for anything else.
 */
type ParamKinds = Readonly<Record<string, IdPrefix | 'message' | 'text'>>
type ParamValues<P extends ParamKinds> = {
  [K in keyof P]: P[K] extends IdPrefix ? Id<P[K]> : P[K] extends 'message' ? MailReference : string
}

interface ProjectOf {
  none: undefined
  visitor: undefined
  session: undefined
  workspace: undefined
  project: ProjectContext
  sender: ProjectContext | undefined
}

/** Projects for which a route does not exist hear why before anything of the body is read. */
export interface Gate {
  isOpen(project: ProjectContext): boolean
  code: ErrorCode
  sentence: string
}

/** An idempotency key that a call cannot do without, in a header of its own. */
export interface OwnIdempotencyHeader {
  /** Its name in lower case. */
  header: string
  missing: ErrorCode
  malformed: ErrorCode
}

/** A body that is not read before the handler reads it, and never as a whole. */
export interface Upload {
  /** Its media type, one of those that the route takes. */
  type: string
  /** Throws when there is more than the route allows, and when nothing comes any more. */
  bytes: AsyncIterable<Buffer>
}

/** What a handler gets: everything the shell has checked. */
export interface Call<
  P extends ParamKinds,
  Q extends TSchema,
  B extends TSchema,
  C extends ContextKind,
  U extends readonly string[] = [],
> {
  caller: C extends ApiContext ? Caller : undefined
  actor: C extends ApiContext | 'session' ? Actor : undefined
  project: ProjectOf[C]
  visitor: C extends DoorContext ? Visitor : undefined
  session: C extends 'session' ? Session : undefined
  params: ParamValues<P>
  query: Static<Q>
  body: Static<B>
  upload: U extends readonly [] ? undefined : Upload
  /** Whether the caller could read what this scope shows, in the project of the call. */
  mayRead: C extends ApiContext ? (scope: Scope) => boolean : undefined
  /** Asks the same again while an answer is being sent; throws what the caller would hear if they are not admitted now. */
  admitAgain: C extends ApiContext ? () => Promise<{ mayRead(scope: Scope): boolean }> : undefined
  /** Present when the route honours `Idempotency-Key` and the request carries one, or has a header of its own. */
  idempotency: IdempotencyKey | undefined
}

/** A body with a status or headers of its own, where the route's reply does not say all. */
export class Answer<Body> {
  readonly status: number
  readonly body: Body
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, body: Body, headers: Readonly<Record<string, string>> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** 201 for what the call has created, 200 for what was there before. */
export const createdOrFound = <Body>({ value, isNew }: { value: Body; isNew: boolean }): Answer<Body> =>
  new Answer(isNew ? 201 : 200, value)

type Replies = Readonly<Record<number, TSchema>>
type BodyOf<R extends Replies> = Static<Extract<R[keyof R], TSchema>>

interface RouteDefinition<
  P extends ParamKinds,
  Q extends TSchema,
  B extends TSchema,
  C extends ContextKind,
  R extends Replies,
  U extends readonly string[],
> {
  /** What clients call the operation, such as `sendEmail`; made of method and path where it is left out. */
  id?: string
  method: Method
  path: `/${string}`
  /** A route without a scope is one that needs no key; everything else names the one it requires. */
  scope: C extends ApiContext ? Scope : null
  context: C
  summary: string
  params?: P
  query?: Q
  body?: B
  /** True for DELETE, whose body many clients cannot send: what it says may then stand in the query. */
  bodyIsOptional?: boolean
  /** Brings a body that may be written in several ways into the one in which it is checked, compared and handled. */
  readBody?(sent: unknown): unknown
  /** Finds what else is wrong with a body that is refused for its shape, so that everything is said at once. */
  furtherProblems?(body: unknown): Problem[]
  /** The content types of a body that is handed to the handler as it comes. Instead of `body`, which is JSON. */
  uploads?: U
  /** The body of a success, by status. With one status a handler returns the body, with several an Answer. */
  reply: R
  /** The content types of a success that is no JSON: the handler returns a file of one of them. */
  downloads?: readonly string[]
  /** A success is a stream of events, each of the shape of `reply`: the handler returns them as they are written. */
  streams?: boolean
  /** Headers that only this success may have, with what each says. */
  headers?: Readonly<Record<string, string>>
  /** Refusals of the service; those of the shell are added by themselves. */
  errors?: readonly ErrorCode[]
  honoursIdempotencyKey?: boolean
  ownIdempotencyHeader?: OwnIdempotencyHeader
  gate?: Gate
  bodyLimit?: number
  /** Nothing is changed by the call, so a role that only reads may make it; true of a GET where it is left out. */
  reads?: boolean
  /** The call shows more than the list does, to those only who may also change it. */
  isSensitive?: boolean
  /** Mail or SMS leaves us because of the call, or because of this body: roles that do not send are refused. */
  leaves?: boolean | ((body: Static<B>, query: Static<Q>) => boolean)
  /** Keys are refused, whatever their scopes. */
  isForPersons?: boolean
  /** A person has to confirm within the last minutes that it is them; a key has to confirm nothing. */
  needsConfirmation?: boolean
  handle(call: Call<P, Q, B, C, U>): Promise<BodyOf<R> | Answer<BodyOf<R>> | FileContent | AsyncIterable<string>>
}

/** A route with its types forgotten, as the shell and the meta-tests see it. */
export interface Route {
  id: string
  method: Method
  path: string
  scope: Scope | null
  context: ContextKind
  summary: string
  params: ParamKinds
  query: TSchema | undefined
  body: TSchema | undefined
  bodyIsOptional: boolean
  readBody(sent: unknown): unknown
  furtherProblems(body: unknown): Problem[]
  uploads: readonly string[]
  reply: Replies
  downloads: readonly string[]
  streams: boolean
  headers: Readonly<Record<string, string>>
  errors: readonly ErrorCode[]
  honoursIdempotencyKey: boolean
  ownIdempotencyHeader: OwnIdempotencyHeader | undefined
  gate: Gate | undefined
  bodyLimit: number
  reads: boolean
  isSensitive: boolean
  /** `sometimes` where the body or the query decides. */
  leaves: boolean | 'sometimes'
  isLeaving(body: unknown, query: unknown): boolean
  isForPersons: boolean
  needsConfirmation: boolean
  handle(call: unknown): Promise<unknown>
}

const DEFAULT_BODY_LIMIT = 1024 * 1024

/** A row of the specification as data: it becomes the router's entry, the OpenAPI operation and the access tests. */
export function route<
  const P extends ParamKinds = Record<never, never>,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  const C extends ContextKind = ContextKind,
  const R extends Replies = Replies,
  const U extends readonly string[] = [],
>(definition: RouteDefinition<P, Q, B, C, R, U>): Route {
  const { leaves = false } = definition
  return {
    ...definition,
    id: definition.id ?? definition.method.toLowerCase() + joinedWords(definition.path),
    params: definition.params ?? {},
    query: definition.query,
    body: definition.body,
    reply: definition.context === 'project' ? mapped(definition.reply, withProjectId) : definition.reply,
    bodyIsOptional: definition.bodyIsOptional ?? false,
    readBody: definition.readBody ?? ((sent) => sent),
    furtherProblems: definition.furtherProblems ?? (() => []),
    uploads: definition.uploads ?? [],
    downloads: definition.downloads ?? [],
    streams: definition.streams ?? false,
    headers: definition.headers ?? {},
    errors: definition.errors ?? [],
    honoursIdempotencyKey: definition.honoursIdempotencyKey ?? false,
    ownIdempotencyHeader: definition.ownIdempotencyHeader,
    gate: definition.gate,
    bodyLimit: definition.bodyLimit ?? DEFAULT_BODY_LIMIT,
    reads: definition.reads ?? definition.method === 'GET',
    isSensitive: definition.isSensitive ?? false,
    leaves: typeof leaves === 'function' ? 'sometimes' : leaves,
    isLeaving: (body, query) => (typeof leaves === 'function' ? leaves(body as Static<B>, query as Static<Q>) : leaves),
    isForPersons: definition.isForPersons ?? false,
    needsConfirmation: definition.needsConfirmation ?? false,
    // The shell hands over only what it has checked against the shapes above; from here on the types are true.
    handle: async (call) => {
      const typed = call as Call<P, Q, B, C, U>
      const result = await definition.handle(typed)
      const isJson = definition.downloads === undefined && definition.streams !== true
      return definition.context === 'project' && isJson
        ? ofProject(result, definition.reply, typed.project as ProjectContext)
        : result
    },
  }
}

const mapped = (replies: Replies, change: (reply: TSchema) => TSchema): Replies =>
  Object.fromEntries(Object.entries(replies).map(([status, reply]) => [status, change(reply)]))

function ofProject(result: unknown, replies: Replies, { id }: ProjectContext): unknown {
  if (result instanceof Answer) {
    const reply = replies[result.status]
    return reply ? new Answer(result.status, showProject(result.body, reply, id), result.headers) : result
  }
  const [reply] = Object.values(replies)
  return reply ? showProject(result, reply, id) : result
}
