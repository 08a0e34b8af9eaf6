/**
 * Serves the links in mail. They need no key: the signature in a link says what it allows. A GET changes nothing but
 * the count of opens and clicks, because mail programs, proxies and scanners follow every link.
 *
 * The limit of an address is high here (`http/address-limit.ts`): a provider unsubscribes all its users from a few
 * addresses, and a request without a valid link costs one hash.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../core/errors.ts'
import { decodeId, type ContactId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import { readClick, readReference, type MailReference } from '../core/mail-reference.ts'
import type { TokenKeys } from '../core/token.ts'
import { errorReply, toDomainError } from '../http/errors.ts'
import { BODY_PATIENCE_MS, endSlowBody } from '../http/streams.ts'
import type { Engagement, Preferences, SubscriptionState } from '../resources/emails/index.ts'
import { isOneClick, readForm, wordsIn } from './form.ts'
import type { LinkHosts } from './hosts.ts'
import {
  failurePage,
  notUnderstoodPage,
  pageHeaders,
  preferencesPage,
  unknownLinkPage,
  unsubscribePage,
  type Page,
} from './pages.ts'
import { visitorOf } from './visitors.ts'

export interface LinkOptions {
  /** Asked for when a link is first followed. */
  keys: () => TokenKeys
  preferences: Preferences
  engagement: Engagement
  hosts: LinkHosts
  log: Log
  /** A form may take this long; `BODY_PATIENCE_MS` unless given. */
  bodyPatienceMs?: number
}

const MAX_FORM_BYTES = 64 * 1024

export function addLinks(server: FastifyInstance, options: LinkOptions): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const isElsewhere = options.hosts.isLinksOnly(request.hostname) && !/^\/[ut]\//.test(request.url)
    done(isElsewhere ? new DomainError('not_found', 'There is no such route.') : undefined)
  })
  void server.register(async (scope) => {
    // A form may come in any type: what cannot be read says nothing, and is answered as such.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: MAX_FORM_BYTES },
      async (_: unknown, b: Buffer) => b,
    )
    scope.setErrorHandler((error, request, reply) => fail(options.log, error, request, reply))
    addUnsubscribing(scope, options)
    addTracking(scope, options)
    for (const url of ['/u/*', '/t/*']) {
      scope.route({ method: ['GET', 'POST'], url, handler: (_request, reply) => show(reply, unknownLinkPage) })
    }
  })
}

type WithToken = { Params: { token: string } }

function addUnsubscribing(
  scope: FastifyInstance,
  { keys, preferences, bodyPatienceMs = BODY_PATIENCE_MS }: LinkOptions,
): void {
  const referenceIn = ({ params }: FastifyRequest<WithToken>): MailReference | undefined =>
    readReference(keys(), 'unsubscribe', params.token)
  const onRequest = async (request: FastifyRequest): Promise<void> =>
    endSlowBody(request, bodyPatienceMs, (_, socket) => socket.destroy())

  /** Shows the page for the state of the reader, or the page for an unknown link. */
  const answer = async (
    reply: FastifyReply,
    reference: MailReference | undefined,
    pageOf: (state: SubscriptionState) => Page,
  ): Promise<FastifyReply> => {
    const state = reference && (await preferences.stateOf(reference))
    return show(reply, state ? pageOf(state) : unknownLinkPage)
  }

  scope.get<WithToken>('/u/:token', (request, reply) =>
    answer(reply, referenceIn(request), (state) => unsubscribePage(state, pathOf(request))),
  )

  scope.post<WithToken>('/u/:token', { onRequest }, async (request, reply) => {
    const reference = referenceIn(request)
    if (reference === undefined) return show(reply, unknownLinkPage)
    const form = await readForm(request.body, request.headers['content-type'])
    if (isOneClick(form)) {
      await preferences.leave(reference, 'one click in the mail program')
      return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send('Unsubscribed.\n')
    }
    const [action] = wordsIn(form, 'action')
    if (action === 'unsubscribe') await preferences.leave(reference, 'the unsubscribe page')
    else if (action === 'resubscribe') await preferences.rejoin(reference)
    else return show(reply, notUnderstoodPage)
    return answer(reply, reference, (state) => unsubscribePage(state, pathOf(request)))
  })

  scope.get<WithToken>('/u/:token/preferences', (request, reply) =>
    answer(reply, referenceIn(request), (state) => preferencesPage(state, pathOf(request), false)),
  )

  scope.post<WithToken>('/u/:token/preferences', { onRequest }, async (request, reply) => {
    const reference = referenceIn(request)
    if (reference === undefined) return show(reply, unknownLinkPage)
    const form = await readForm(request.body, request.headers['content-type'])
    const shown = contactsIn(form, 'shown')
    if (shown.size === 0) return show(reply, notUnderstoodPage)
    await preferences.choose(reference, shown, contactsIn(form, 'keep'))
    return answer(reply, reference, (state) => preferencesPage(state, pathOf(request), true))
  })
}

const contactsIn = (form: FormData, name: string): ReadonlySet<ContactId> =>
  new Set(wordsIn(form, name).flatMap((id) => decodeId('con', id) ?? []))

/** The path is used without host and query: a request may name any host. */
const pathOf = ({ url }: FastifyRequest<WithToken>): string =>
  url.replace(/[?#].*$/, '').replace(/^https?:\/\/[^/]*/i, '')

function addTracking(scope: FastifyInstance, { keys, engagement }: LinkOptions): void {
  scope.get<{ Params: { file: string } }>('/t/o/:file', async (request, reply) => {
    const { file } = request.params
    const reference = file.endsWith('.gif') ? readReference(keys(), 'open', file.slice(0, -'.gif'.length)) : undefined
    if (reference === undefined) return show(reply, unknownLinkPage)
    engagement.note({ ...reference, kind: 'open', ...visitorOf(request.method, request.headers) })
    return reply.headers(unseen).type('image/gif').send(pixel)
  })

  scope.get<WithToken & { Querystring: { u?: unknown } }>('/t/c/:token', async (request, reply) => {
    const { u: target } = request.query
    const reference = typeof target === 'string' ? readClick(keys(), request.params.token, target) : undefined
    if (typeof target !== 'string' || reference === undefined || !isWeb(target)) return show(reply, unknownLinkPage)
    engagement.note({ ...reference, kind: 'click', target, ...visitorOf(request.method, request.headers) })
    return reply.headers(unseen).code(302).header('location', locationOf(target)).send()
  })
}

const unseen = { 'cache-control': 'no-store, private', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }

/** The image is one transparent pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** We sign only web targets; this check protects against a later change of that. */
const isWeb = (target: string): boolean => /^https?:\/\//i.test(target) && URL.canParse(target)

/** The target stays as it was written; characters that a header cannot hold are encoded as a browser does. */
const locationOf = (target: string): string => (/^[!-~]+$/.test(target) ? target : new URL(target).href)

const show = (reply: FastifyReply, { status, html }: Page): FastifyReply =>
  reply.code(status).headers(pageHeaders).send(html)

function fail(log: Log, thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toDomainError(thrown)
  if (error.code === 'internal_error') log.error({ requestId: request.id, err: thrown }, 'link request failed')
  const { status, headers } = errorReply(error, request.id)
  if (error.code === 'not_found') return show(reply, unknownLinkPage)
  // The shell closes the connection of a client that continues to send.
  if (error.code === 'payload_too_large') throw thrown
  return show(reply.headers(headers), failurePage(status))
}
