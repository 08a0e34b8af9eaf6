/**
 * Serves the portal: what `npm run build:portal` has put into `portal/dist`, and the frame that shows mail. It knows no
 * resource; everything that the portal shows comes from the API.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../core/clock.ts'
import { DomainError } from '../core/errors.ts'
import { idPrefixes } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import { BuiltFiles } from './built-files.ts'
import { mailFrame } from './mail-frame.ts'
import { isOwnHost } from './persons.ts'
import { addPolicyReports, REPORTS_PATH } from './policy-reports.ts'
import { sendPrepared } from './prepared.ts'

interface PortalOptions {
  /** The folder with the built portal; it may be missing. */
  folder: URL
  publicUrl: string
  clock: Clock
  log: Log
}

const applicationPages = ['/', '/p/*', '/settings', '/settings/*', '/me', '/me/*']
/** The way in is a page of its own, which loads nothing of the application. */
const doorPages = ['/sign-in', '/setup', '/invitation', '/recover']
/** Ids in logs, webhooks and answers are addresses: each leads to the page of what it names. */
const anyId = new RegExp(`^(?:${Object.keys(idPrefixes).join('|')})_[0-7][0-9a-hjkmnp-tv-z]{25}(?:\\.[1-9][0-9]?)?$`)

export function addPortal(server: FastifyInstance, { folder, publicUrl, clock, log }: PortalOptions): void {
  const files = new BuiltFiles(folder)
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    // Under a name that is not ours there is no portal.
    if (!isOwnHost(request.headers.host, publicUrl)) throw noSuchRoute()
  }
  const pageOf = (name: string) => async (request: FastifyRequest, reply: FastifyReply) => {
    const page = await files.page(name)
    return page === undefined ? sendMissing(reply) : sendPage(request, reply, page, publicUrl)
  }
  for (const url of applicationPages) server.get(url, { onRequest }, pageOf('index.html'))
  for (const url of doorPages) server.get(url, { onRequest }, pageOf('door.html'))
  server.get<{ Params: { id: string } }>('/:id', { onRequest }, async (request, reply) => {
    if (!anyId.test(request.params.id)) throw noSuchRoute()
    return pageOf('index.html')(request, reply)
  })
  server.get<{ Params: { name: string } }>('/assets/:name', { onRequest }, async (request, reply) => {
    const file = await files.asset(request.params.name)
    if (file === undefined) throw noSuchRoute()
    reply.headers({ 'content-type': file.type, ...assetHeaders })
    return sendPrepared(request, reply, file.prepared, FOR_EVER)
  })
  server.get('/mail-frame', { onRequest }, mailFrame())
  addPolicyReports(server, { onRequest, clock, log })
}

const noSuchRoute = (): DomainError => new DomainError('not_found', 'There is no such route.')

/** The name of such a file has a hash of its content in it: another content has another name. */
const FOR_EVER = 'public, max-age=31536000, immutable'

const assetHeaders = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' }

function sendPage({ headers }: FastifyRequest, reply: FastifyReply, page: string, publicUrl: string): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  const filled = page.replace('{nonce}', nonce).replace('data-scheme=""', `data-scheme="${schemeIn(headers.cookie)}"`)
  return reply
    .type('text/html; charset=utf-8')
    .headers({ ...pageHeaders(nonce), ...(publicUrl.startsWith('https:') && strictTransport) })
    .send(filled)
}

/** Set before the first paint, so that nothing flashes; empty for the system's own. */
const schemeIn = (cookies = ''): string => /(?:^|;\s*)posthouse-scheme=(light|dark)(?=;|$)/.exec(cookies)?.[1] ?? ''

const strictTransport = { 'strict-transport-security': 'max-age=31536000' }

const pageHeaders = (nonce: string): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    // For the style elements that editors and popups make. It is never allowed for scripts.
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    `report-uri ${REPORTS_PATH}`,
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), midi=(), display-capture=()',
  'cache-control': 'no-store',
})

const sendMissing = (reply: FastifyReply): FastifyReply =>
  reply
    .code(503)
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    .send(missingPage)

const missingPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The portal is not built · Posthouse</title>
<h1>The portal is not built</h1>
<p>The folder <code>portal/dist</code> is missing. Run <code>npm run build:portal</code> in the folder of Posthouse, then
reload this page. The API works without it; its reference is at <a href="/docs">/docs</a>.</p>
</html>
`
