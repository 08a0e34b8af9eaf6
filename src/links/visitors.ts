import type { IncomingHttpHeaders } from 'node:http'

/** The program that fetched an image or followed a link, as far as it says so. */
export interface Visitor {
  /** The name is undefined for an ordinary mail program or browser. */
  visitor: string | undefined
  /** No person is behind the request, or that cannot be known. */
  isMachine: boolean
}

/**
 * Proxies that fetch when a person opens the mail, and those that fetch whether or not one does. Apple's proxy gives
 * nothing but the first word that all browsers begin with; it loads every image soon after a mail has come in.
 */
const known: readonly [pattern: RegExp, visitor: string, isMachine: boolean][] = [
  [/GoogleImageProxy/i, 'Gmail image proxy', false],
  [/YahooMailProxy/i, 'Yahoo image proxy', false],
  [/^Mozilla\/5\.0$/, 'Apple Mail Privacy Protection', true],
  [/^$/, 'Without a user agent', true],
  [/proofpoint|barracuda|mimecast|messagelabs|symantec|ironport|fireeye|trellix|trend ?micro/i, 'Link scanner', true],
  [/sophos|kaspersky|bitdefender|zscaler|forcepoint|safelinks|urldefense|avanan|abnormal/i, 'Link scanner', true],
  [/virustotal|urlscan|phish|malware|safebrowsing|headlesschrome|phantomjs/i, 'Link scanner', true],
  [/bingpreview|facebookexternalhit|whatsapp|telegrambot|slackbot|discordbot|skypeuripreview/i, 'Link preview', true],
  [/bot\b|crawler|spider|slurp/i, 'Robot', true],
  [/^(?:python|java|go-http-client|okhttp|apache-httpclient|libwww-perl|ruby|php)\b/i, 'Program', true],
]

export function visitorOf(method: string, headers: IncomingHttpHeaders): Visitor {
  if (method === 'HEAD') return { visitor: 'Only asked whether it is there', isMachine: true }
  if (isPrefetch(headers)) return { visitor: 'Fetched ahead', isMachine: true }
  const agent = (headers['user-agent'] ?? '').trim()
  const [, visitor, isMachine = false] = known.find(([pattern]) => pattern.test(agent)) ?? []
  return { visitor, isMachine }
}

const isPrefetch = (headers: IncomingHttpHeaders): boolean =>
  ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'].some((name) => /prefetch|preview/i.test(String(headers[name] ?? '')))
