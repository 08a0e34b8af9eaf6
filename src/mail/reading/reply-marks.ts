/** How programs mark an older message: in English, German, French, Spanish, Italian, Portuguese and Dutch. */

const LONGEST_LINE = 300
const LONGEST_SENTENCE = 4

/** How many lines from here make a sentence like "On … wrote:"; none if these do not. Long ones are folded. */
export function isAttribution(lines: readonly string[], at: number): number {
  if (!opening.test(lines[at]?.slice(0, LONGEST_LINE) ?? '')) return 0
  let sentence = ''
  for (let length = 1; length <= LONGEST_SENTENCE; length++) {
    const line = lines[at + length - 1]?.trim() ?? ''
    if (line === '' || line.startsWith('>') || line.length > LONGEST_LINE) return 0
    sentence += `${length === 1 ? '' : ' '}${line}`
    if (attribution.some((form) => form.test(sentence))) return length
  }
  return 0
}

/** Cheap, before lines are put together. */
const opening =
  /^\s*(?:On|Am|Le|El|Il|Em|Op|A|Dne|W dniu|Den|\d{1,4}[-./ ]|[\p{Lu}][^\n]{0,80}(?:wrote|schrieb|escribió|escreveu|schreef|scritto|écrit))/u

/** With a number in it, as each date and time has: "On the contrary, he wrote:" has none. */
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

/** Outlook, and others that imitate it. A forwarded message is what somebody wanted to show, and stays. */
export const isSeparator = (line: string): boolean => line.length <= LONGEST_LINE && separator.test(line)

const separator =
  /^\s*-{2,} ?(?:Original (?:Message|Appointment)|Ursprüngliche (?:Nachricht|E-Mail)|Original-?Nachricht|Message d['’]origine|Message original|Mensaje original|Messaggio originale|Mensagem original|Oorspronkelijke? bericht) ?-{2,}\s*$/iu

/** "From: … Sent: … To: … Subject: …": at least three different of these, one of them the time, within a few lines. */
export function startsHeaderBlock(lines: readonly string[], at: number): boolean {
  if (!senderLabel.test(lines[at] ?? '')) return false
  const block = lines.slice(at + 1, at + 7)
  const end = block.findIndex((line) => line.trim() === '')
  const labelled = end < 0 ? block : block.slice(0, end)
  const hasTime = labelled.some((line) => timeLabel.test(line) && /\d/.test(line))
  return hasTime && labelled.some((line) => otherLabel.test(line))
}

const label = (words: string): RegExp => new RegExp(`^\\s*\\*?(?:${words})\\s?:\\*?\\s*\\S`, 'iu')
const senderLabel = label('From|Von|De|Da|Van|Expéditeur|Remitente')
const timeLabel = label(
  'Sent|Date|Gesendet(?: am)?|Datum|Envoyé(?: le)?|Enviado(?: el| em)?|Enviada(?: em)?|Fecha|Inviato|Data|Verzonden',
)
const otherLabel = label('To|An|À|Para|A|Aan|Cc|Subject|Betreff|Objet|Asunto|Oggetto|Assunto|Onderwerp')

/** What phones and free mail programs put below. */
export const isMobileSignature = (line: string): boolean => {
  const words = line.trim()
  return words.length <= LONGEST_MOBILE && mobile.test(words)
}

const LONGEST_MOBILE = 120

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
