import { firstField } from '../parse/fields.ts'
import type { MimeMessage } from '../parse/mime-message.ts'

export interface Envelope {
  /** The reverse path has no angle brackets; it is empty for the null sender (RFC 5321 §4.5.5). */
  readonly from?: string | undefined
}

/**
 * A server wrote this, or says so. Only then its words are taken for a report: people ask about bounces, and quote
 * them, in much the same words. `perhaps` where nothing but these words says it.
 */
export function daemonIn(message: MimeMessage, envelope: Envelope): 'surely' | 'perhaps' | undefined {
  if (firstField(message.fields, 'x-failed-recipients') !== undefined) return 'surely'
  const rawFrom = firstField(message.fields, 'from')?.value.slice(0, MAX_LENGTH) ?? ''
  const sender = message.from?.email || rawFrom
  if (daemonName.test(sender) || systemName.test(rawFrom)) return 'surely'
  // A postmaster may be a person.
  if (!hasNullSender(message, envelope) && !/^[\s<"]*post[-_.]?master(?:@|\b)/i.test(sender)) return undefined
  if (failureSubject.test(message.subject?.slice(0, MAX_LENGTH) ?? '')) return 'surely'
  return failureWords.test(message.text?.slice(0, OPENING) ?? '') ? 'perhaps' : undefined
}

export function hasNullSender({ fields }: MimeMessage, { from }: Envelope): boolean {
  const path = from ?? firstField(fields, 'return-path')?.raw
  return path !== undefined && /^\s*(?:<\s*>)?\s*$|^<?mailer-daemon\b/i.test(path)
}

/** Only this much of a field is searched. */
const MAX_LENGTH = 500

const daemonName =
  /^[\s<"]*(?:mail(?:er)?[-_.]?daemon|mail[-_.]delivery[-_.](?:sub)?system|bounces?|double-bounce|mailerdaemon\S*|no-?reply-dsn|microsoftexchange[0-9a-f]+)(?:@|\b)/i
const systemName =
  /mail deliver(?:y|er)? (?:sub)?system|mail(?:er)?[ -]daemon|(?:mail|internet) (?:delivery )?(?:administrator|service)\b.*(?:daemon|postmaster)|system administrator|delivery (?:status|system|service|notification)|\binterscan\b|\bimss\b|mail ?marshal|\bm-filter\b/i

const OPENING = 2_000
const failureWords =
  /(?:could ?n[o']t|can ?not|unable to|was not) (?:be )?deliver(?:ed)?\b|delivery .{0,80}failed|did not reach the following|^\s*error(?: message below)?:/im

const failureSubject =
  /undeliver|deliver\w* (?:status|fail|problem|error|delay|notif|report|incomplete)|failure (?:notice|delivery)|fail\w* (?:notice|deliver)|mail (?:system )?error|returned (?:e-?)?mail|return(?:ed|ing) (?:message )?to sender|could ?n[o']t (?:be )?(?:deliver|sen[dt])|not (?:be )?delivered|unzustellbar|zustell|non remis|échec|non distribu|no se pudo entregar|mancata consegna|niet (?:be|af)geleverd|onbestelbaar|não (?:foi )?entregue|退信|配信(?:できません|に失敗)|не доставлено|недоставлен|warning/i
