/**
 * Finds how mail programs mark an older message: the sentence above a quotation, the block of fields, the line between.
 */

const MAX_LINE_LENGTH = 300
const MAX_SENTENCE_LENGTH = 4

/** A sentence like "On … wrote:". */
export interface Attribution {
  /** An attribution has this many lines, because long ones are folded. It is never 0. */
  lines: number
  /** Only a program writes like this, so what follows is history even without a mark on its lines. */
  isCertain: boolean
}

/** The sentence that begins at this line, if one does. */
export function attributionAt(lines: readonly string[], at: number): Attribution | undefined {
  const known = knownAttribution(lines, at)
  if (known > 0) {
    const sentence = lines.slice(at, at + known).join(' ')
    return { lines: known, isCertain: address.test(sentence) || timeOfDay.test(sentence) }
  }
  return datedAttribution(lines, at)
}

const address = /\S@\S/
/** Programs write the address like this beside a name; people write the address alone. */
const bracketed = /<[^\s<>@]+@[^\s<>@]+>/
/** `9:14`, `09.14` or `9h14`, but nothing that is part of a date such as `03.11.2026`. */
const timeOfDay = /(?<![\d.])\d{1,2}[:.h]\d{2}(?![\d.])/
const date = /(?<!\d)\d{4}(?!\d)|(?<!\d)\d{1,2}([./-])\s?\d{1,2}\1\s?\d{2}(?!\d)/
const ending = /[:：]$/
const verb =
  /(?:wrote|writes|schrieb|a écrit|escribió|ha scritto|escreveu|schreef|kirjoitti|napsal\(a\)|pisze|пишет|писал) ?:$|\bskrev\b/

/**
 * Mail programs introduce a quotation with a date, a time, an address in brackets and a colon, in any language: then the
 * attribution is certain. With less than that the caller has to see whether quoted lines follow. The sentence may be
 * folded once, and the line above it is never taken for a part of it.
 */
function datedAttribution(lines: readonly string[], at: number): Attribution | undefined {
  const first = lines[at]?.trim() ?? ''
  if (first === '' || first.startsWith('>') || first.length > MAX_LINE_LENGTH) return undefined
  if (ending.test(first)) return judged(first, 1)
  const second = lines[at + 1]?.trim() ?? ''
  const isFolded =
    date.test(first) && ending.test(second) && second.length <= MAX_LINE_LENGTH && !second.startsWith('>')
  return isFolded && judged(second, 1) === undefined ? judged(`${first} ${second}`, 2) : undefined
}

function judged(sentence: string, lines: number): Attribution | undefined {
  const [hasDate, hasTime, hasAddress] = [date, timeOfDay, address].map((mark) => mark.test(sentence))
  if (hasDate && hasTime && (bracketed.test(sentence) || verb.test(sentence))) return { lines, isCertain: true }
  return (hasDate && (hasTime || hasAddress)) || verb.test(sentence) ? { lines, isCertain: false } : undefined
}

/** Returns how many lines form a known sentence of a mail program; 0 if these do not. */
function knownAttribution(lines: readonly string[], at: number): number {
  if (!opening.test(lines[at]?.slice(0, MAX_LINE_LENGTH) ?? '')) return 0
  let sentence = ''
  for (let length = 1; length <= MAX_SENTENCE_LENGTH; length++) {
    const line = lines[at + length - 1]?.trim() ?? ''
    if (line === '' || line.startsWith('>') || line.length > MAX_LINE_LENGTH) return 0
    sentence += `${length === 1 ? '' : ' '}${line}`
    if (attribution.some((form) => form.test(sentence))) return length
  }
  return 0
}

/** Cheap, before lines are put together. */
const opening =
  /^\s*(?:On|Am|Le|El|Il|Em|Op|A|Dne|W dniu|Den|\d{1,4}[-./ ]|[\p{Lu}][^\n]{0,80}(?:wrote|schrieb|escribió|escreveu|schreef|scritto|écrit))/u

/** Each expression asks for a number, as a date and time has: "On the contrary, he wrote:" has none. */
const attribution = [
  /^On\b(?=.*\d).*\bwrote\s?:$/,
  /^Am\b(?=.*\d).*\bschrieb\b.{0,120}:$/,
  /^Le\b(?=.*\d).*\ba écrit\s?:$/,
  /^El\b(?=.*\d).*\bescribió\s?:$/,
  /^Il\b(?=.*\d).*\bha scritto\s?:$/,
  /^(?:Em|A|No dia)\b(?=.*\d).*\bescreveu\s?:$/,
  /^Op\b(?=.*\d).*\bschreef\b.{0,120}:$/,
  // 2026-02-03 14:05 GMT+01:00 Ann Example <ann@example.com>:
  /^\d{4}-\d\d-\d\d \d\d:\d\d.{0,120}<[^\s<>@]+@[^\s<>@]+>\s?:$/,
  // Ann Example <ann@example.com> wrote on 3 Feb 2026:
  /^[^<]{1,120}<[^\s<>@]+@[^\s<>@]+>.{0,10}(?:wrote|schrieb|a écrit|escribió|ha scritto|escreveu|schreef)\b.{0,80}:$/,
]

/** Outlook and its imitators write these lines. A forwarded message is not history: its sender wants to show it. */
export const isSeparator = (line: string): boolean =>
  line.length <= MAX_LINE_LENGTH && (separator.test(line) || signedSeparator.test(line))

/** "---- On Tue, 3 Nov 2026 09:14:00 +0100 Ben wrote ----", "----- Message from Ben on … -----". */
const signedSeparator = /^\s*-{4,} ?(?:On (?=.*\d).* wrote|Message from (?=.*\d).*) ?-{4,}\s*$/

const separator =
  /^\s*-{2,} ?(?:Original (?:Message|Appointment)|Ursprüngliche (?:Nachricht|E-Mail)|Original-?Nachricht|Message d['’]origine|Message original|Mensaje original|Messaggio originale|Mensagem original|Oorspronkelijke? bericht) ?-{2,}\s*$/iu

/**
 * "From: … Sent: … To: … Subject: …": the sender, the time and one more within a few lines, the sender or the time
 * first. Below a line that says that it is forwarded it is no history.
 */
export function startsHeaderBlock(lines: readonly string[], at: number): boolean {
  const first = lines[at] ?? ''
  if (!senderLabel.test(first) && !timeLabel.test(first)) return false
  const block = lines.slice(at, at + 7)
  const end = block.findIndex((line) => line.trim() === '')
  const labelled = end < 0 ? block : block.slice(0, end)
  const has = (mark: RegExp): boolean => labelled.some((line) => mark.test(line))
  if (!has(senderLabel) || !has(otherLabel)) return false
  return labelled.some((line) => timeLabel.test(line) && /\d/.test(line)) && !isForwarded(lines, at)
}

function isForwarded(lines: readonly string[], at: number): boolean {
  const above = lines.slice(Math.max(0, at - 3), at).findLast((line) => line.trim() !== '') ?? ''
  return above.length <= MAX_LINE_LENGTH && forwarded.test(above)
}

const forwarded =
  /^\s*(?:-{2,} ?)?(?:Begin forwarded message|Forwarded (?:message|by)|Weitergeleitete Nachricht|Anfang der weitergeleiteten Nachricht|Message transféré|Début du message réexpédié|Mensaje reenviado|Messaggio inoltrato|Inizio messaggio inoltrato|Mensagem encaminhada|Doorgestuurd bericht)/iu

const label = (words: string): RegExp => new RegExp(`^\\s*\\*?(?:${words})\\s?[:：]\\*?\\s*\\S`, 'iu')
const senderLabel = label(
  'From|Von|De|Da|Van|Expéditeur|Remitente|Från|Fra|Lähettäjä|Od|От|Від|Kimden|发件人|寄件者|差出人|보낸 사람',
)
const timeLabel = label(
  'Sent|Date|Gesendet(?: am)?|Datum|Envoyé(?: le)?|Enviado(?: el| em)?|Enviada(?: em)?|Fecha|Inviato|Data|Verzonden|' +
    'Skickat|Sendt|Lähetetty|Wysłano|Odesláno|Отправлено|Дата|Надіслано|Gönderildi|发送时间|日期|寄件日期|送信日時|日時|보낸 날짜',
)
const otherLabel = label(
  'To|An|À|Para|A|Aan|Cc|Subject|Betreff|Objet|Asunto|Oggetto|Assunto|Onderwerp|Till|Ämne|Til|Emne|Vastaanottaja|Aihe|' +
    'Do|Temat|Komu|Předmět|Кому|Тема|Kime|Konu|收件人|收件者|主题|主旨|宛先|件名|받는 사람|제목',
)

/** Phones and free mail programs add these lines at the end. */
export const isMobileSignature = (line: string): boolean => {
  const words = line.trim()
  return words.length <= MAX_MOBILE_LENGTH && mobile.test(words)
}

const MAX_MOBILE_LENGTH = 120

const device = String.raw`(?:i-?(?:Phone|Pad|Pod)|Android\S*|Samsung|Galaxy|BlackBerry|Huawei|Xiaomi|Pixel|Handy|Smartphone|Mobil\w*|Windows \w+|Outlook|Yahoo|Mail\b|Mobile|móvil|telefono|téléphone|telefoon|celular|Proton ?Mail|GMX|WEB\.DE)`
const mobile = new RegExp(
  [
    String.raw`^Sent (?:from|via|using|with) (?:my |the |a )?.{0,40}${device}`,
    String.raw`^Get Outlook for`,
    String.raw`^(?:Von meine[mr] .{0,30}|Gesendet (?:von|mit|über) (?:meine[mr] |der )?.{0,40})${device}`,
    String.raw`^Diese Nachricht wurde von meinem .{0,60} gesendet`,
    String.raw`^Outlook (?:für|pour|para|per|voor) (?:iOS|Android)`,
    String.raw`^(?:Envoyé (?:de(?:puis)? |à partir de )(?:mon |ma |l['’])?.{0,40}|Télécharger )${device}`,
    String.raw`^Enviado (?:desde|do|de|pelo|a partir do) (?:mi |meu )?.{0,40}${device}`,
    String.raw`^(?:Obtener|Obter) (?:o )?Outlook`,
    String.raw`^Inviato (?:da|dal) (?:mio )?.{0,40}${device}`,
    String.raw`^Verzonden (?:vanaf|met|via|vanuit) (?:mijn )?.{0,40}${device}`,
  ].join('|'),
  'iu',
)
