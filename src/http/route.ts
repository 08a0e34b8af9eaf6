import type { Static, TSchema } from 'typebox'
import type { Actor, Caller, ProjectContext } from '../core/caller.ts'
import type { ErrorCode, Problem } from '../core/errors.ts'
import type { Id, IdPrefix } from '../core/ids.ts'
import type { Scope } from '../core/scopes.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * Where a call's project comes from.
 * - `none`: open to everybody, without a key.
 * - `workspace`: the call is about the workspace; a key bound to a project still sees no other.
 * - `project`: the key's project or the one that the header names; without one the call is refused.
 * - `sender`: as `project`, but a workspace key may leave it to the domain in `from`, which the service looks up.
 */
export type ContextKind = 'none' | 'workspace' | 'project' | 'sender'

/** The parameters of a path: what the id names, or `text` for anything else. */
type ParamKinds = Readonly<Record<string, IdPrefix | 'text'>>
type ParamValues<P extends ParamKinds> = { [K in keyof P]: P[K] extends IdPrefix ? Id<P[K]> : string }

interface ProjectOf {
  none: undefined
  workspace: undefined
  project: ProjectContext
  sender: ProjectContext | undefined
}

/** What a client promises to repeat unchanged: its key, where it sends it, and what it says. */
export interface IdempotencyKey {
  key: string
  endpoint: string
  fingerprint: Buffer
}

/** What a handler gets: everything the shell has checked. */
export interface Call<P extends ParamKinds, Q extends TSchema, B extends TSchema, C extends ContextKind> {
  caller: C extends 'none' ? undefined : Caller
  actor: C extends 'none' ? undefined : Actor
  project: ProjectOf[C]
  params: ParamValues<P>
  query: Static<Q>
  body: Static<B>
  /** Present when the route honours `Idempotency-Key` and the request carries one. */
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

type Replies = Readonly<Record<number, TSchema>>
type BodyOf<R extends Replies> = Static<Extract<R[keyof R], TSchema>>

interface RouteDefinition<
  P extends ParamKinds,
  Q extends TSchema,
  B extends TSchema,
  C extends ContextKind,
  R extends Replies,
> {
  method: Method
  path: `/${string}`
  /** A route without a scope is one that needs no key; everything else names the one it requires. */
  scope: C extends 'none' ? null : Scope
  context: C
  summary: string
  params?: P
  query?: Q
  body?: B
  /** For DELETE, whose body many clients cannot send: what it says may then stand in the query. */
  bodyIsOptional?: boolean
  /** Where a body may be written in several ways: the one in which it is checked, compared and handled. */
  readBody?(sent: unknown): unknown
  /** What else is wrong with a body that is refused for its shape, so that everything is said at once. */
  furtherProblems?(body: unknown): Problem[]
  /** Success, by status. With one status a handler returns the body, with several an Answer. */
  reply: R
  /** Refusals of the service; those of the shell are added by themselves. */
  errors?: readonly ErrorCode[]
  honoursIdempotencyKey?: boolean
  bodyLimit?: number
  handle(call: Call<P, Q, B, C>): Promise<BodyOf<R> | Answer<BodyOf<R>>>
}

/** A route with its types forgotten, as the shell and the meta-tests see it. */
export interface Route {
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
  reply: Replies
  errors: readonly ErrorCode[]
  honoursIdempotencyKey: boolean
  bodyLimit: number
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
>(definition: RouteDefinition<P, Q, B, C, R>): Route {
  return {
    ...definition,
    params: definition.params ?? {},
    query: definition.query,
    body: definition.body,
    bodyIsOptional: definition.bodyIsOptional ?? false,
    readBody: definition.readBody ?? ((sent) => sent),
    furtherProblems: definition.furtherProblems ?? (() => []),
    errors: definition.errors ?? [],
    honoursIdempotencyKey: definition.honoursIdempotencyKey ?? false,
    bodyLimit: definition.bodyLimit ?? DEFAULT_BODY_LIMIT,
    // The shell hands over only what it has checked against the shapes above; from here on the types are true.
    handle: (call) => definition.handle(call as Call<P, Q, B, C>),
  }
}
