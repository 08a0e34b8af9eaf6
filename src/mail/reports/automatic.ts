import { firstField, type Field } from '../parse/fields.ts'
import type { MimeMessage } from '../parse/mime-message.ts'
import { daemonIn, hasNullSender, type Envelope } from './daemon.ts'
import { partsOf } from './returned.ts'

/** Written by a program in answer to a message, and no report about its delivery. */
export function isAutomaticReply(message: MimeMessage, envelope: Envelope): boolean {
  if (isReadReceipt(message)) return true
  if (answersByItself.some(({ name, value }) => value.test(firstField(message.fields, name)?.raw ?? ''))) return true
  const submitted = submissionOf(message.fields)
  const isAbsence = absence.test(message.subject?.slice(0, 200) ?? '')
  if (daemonIn(message, envelope) === 'surely') return isAbsence && submitted === 'auto-replied'
  if (submitted === 'auto-replied') return true
  if (!isAbsence) return submitted === 'auto-generated' && answersSomething(message)
  return hasEvidence(message, envelope, submitted) || /^[^:]{1,60}:/.test(message.subject ?? '')
}

/** RFC 8098: a receipt says that the message was opened or deleted. */
const isReadReceipt = ({ root }: MimeMessage): boolean =>
  partsOf(root).some(({ type }) => /^message\/(?:global-)?disposition-notification$/.test(type))

/** RFC 3834 §5: the field has a keyword, perhaps with parameters or a comment. */
const submissionOf = (fields: readonly Field[]): string =>
  /^[a-z-]+/.exec(firstField(fields, 'auto-submitted')?.raw.toLowerCase() ?? '')?.[0] ?? ''

/** Marks that only programs that answer set. */
const answersByItself = [
  { name: 'x-autoreply', value: /\S/ },
  { name: 'x-autorespond', value: /\S/ },
  { name: 'x-autoresponder', value: /\S/ },
  { name: 'x-autoreply-from', value: /\S/ },
  { name: 'x-mail-autoreply', value: /\S/ },
  { name: 'x-vacation', value: /\S/ },
  { name: 'precedence', value: /^auto[_-]reply/i },
  { name: 'x-precedence', value: /^auto[_-]reply/i },
  { name: 'x-facebook-notify', value: /^autoreply/i },
]

const answersSomething = ({ inReplyTo, references, subject = '' }: MimeMessage): boolean =>
  inReplyTo !== undefined || references.length > 0 || /^(?:re|aw|sv|antw)\s*:/i.test(subject)

/** A person may write about a holiday: there has to be a field that people do not set. */
const hasEvidence = (message: MimeMessage, envelope: Envelope, submitted: string): boolean =>
  submitted.startsWith('auto-') ||
  hasNullSender(message, envelope) ||
  firstField(message.fields, 'x-auto-response-suppress') !== undefined ||
  /^(?:bulk|junk)/i.test(firstField(message.fields, 'precedence')?.raw ?? '')

const absence =
  /^(?:(?:re|aw|sv|antw|r|rif)\s*:\s*)?(?:\[?(?:automatic|auto|automated)[ -]?(?:reply|response|answer)\b|autoreply|out[ -]of[ -](?:the[ -])?office|i am (?:away|out of)|away from (?:my|the)|on (?:vacation|holiday|leave)|vacation\b|abwesenheit|abwesend|automatische (?:antwort|rückantwort)|nicht im büro|(?:ich bin )?im urlaub|réponse automatique|message d'absence|absen(?:ce|t) du bureau|respuesta autom[aá]tica|fuera de (?:la )?oficina|risposta automatica|fuori (?:sede|ufficio)|resposta autom[aá]tica|fora do escrit[oó]rio|ausência|automatisch antwoord|afwezig|niet aanwezig|自动回复|自動返信|автоответ|automatyczna odpowiedź|automatiskt svar|autosvar|automaattinen)/iu
