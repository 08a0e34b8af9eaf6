/**
 * The page that shows mail which somebody else wrote. It is the same for everybody and has no origin, whoever opens it:
 * its policy puts it into a sandbox, allows its one script, and lets nothing be fetched.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { prepare, sendPrepared, type Prepared } from './prepared.ts'

const script = readFileSync(new URL('mail-frame.browser.js', import.meta.url), 'utf8')

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Email</title>
<style>
html, body, iframe { display: block; box-sizing: border-box; width: 100%; height: 100%; margin: 0; border: 0; background: #fff }
body { overflow: hidden }
</style>
</head>
<body>
<script>${script}</script>
</body>
</html>
`

const policyWith = (images: string): string =>
  [
    'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    "style-src 'unsafe-inline'",
    `img-src ${images}`,
    "frame-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ')

const policy = policyWith('data:')
/** A person has asked for the pictures of one message. */
const policyWithImages = policyWith('data: https:')

/** Answers requests for the frame. The page is compressed for the first of them. */
export function mailFrame(): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  let prepared: Promise<Prepared> | undefined
  return async (request, reply) => {
    const { images } = request.query as { images?: unknown }
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': images === '1' ? policyWithImages : policy,
      'x-content-type-options': 'nosniff',
      'x-dns-prefetch-control': 'off',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    })
    return sendPrepared(request, reply, await (prepared ??= prepare(page)))
  }
}
