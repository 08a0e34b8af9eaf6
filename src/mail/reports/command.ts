/**
 * Finds after which command a server refused, as far as a report shows: a reply before RCPT is not about the recipient,
 * and a server that refuses the message has mostly accepted the recipient before.
 */
export type Command = 'hello' | 'recipient' | 'message'

/** `words` are all that the report says to people, `diagnostic` is what the server said. Each on one line. */
export function commandIn(diagnostic: string, words: string): Command | undefined {
  // The reporting server found this in the DNS; the session quoted above it was with another server.
  if (fromNameServer.test(diagnostic)) return undefined
  const beside = named(diagnostic)
  if (beside !== undefined || diagnostic === '') return beside ?? named(words.slice(0, OPENING))
  for (const at of placesOf(diagnostic.slice(0, RECOGNISED), words)) {
    const before = words.slice(Math.max(0, at - NEAR), at)
    const after = words.slice(at + diagnostic.length, at + diagnostic.length + NEAR)
    const command = lastSent(before) ?? named(/^[^<>]*/.exec(after)?.[0] ?? '') ?? lastPhrase(before)
    if (command !== undefined) return command
  }
  return undefined
}

const fromNameServer = /\bhost unknown \((?:authoritative answer|name server)/i

/**
 * A client that sends RCPT and DATA together (RFC 2920) gets both answers behind DATA in the transcript; the second
 * then says that there is no recipient, and the first was about the recipient.
 */
export const leftNobody = (diagnostic: string, words: string): boolean =>
  placesOf(diagnostic.slice(0, RECOGNISED), words).some((at) => {
    const after = words.slice(at + diagnostic.length, at + diagnostic.length + NEAR)
    return nobodyLeft.test(after.split('>>>', 1)[0] ?? '')
  })

const nobodyLeft = /<<< \d{3}[ -](?:[45]\.\d\.\d+ )?(?:error: )?(?:no valid recipients|(?:need|valid) rcpt)/i

/** Sendmail repeats it: once as the reason, and in the transcript. */
function placesOf(wanted: string, words: string): number[] {
  const places: number[] = []
  for (let at = words.indexOf(wanted); at >= 0 && places.length < MAX_PLACES; at = words.indexOf(wanted, at + 1)) {
    places.push(at)
  }
  return places
}

const MAX_PLACES = 5
/** This much of a diagnostic identifies it: the rest may have been cut or wrapped differently. */
const RECOGNISED = 60
/** Without a quoted reply this much of the text is searched. */
const OPENING = 2_000
/** The command stands at most this far from the diagnostic. */
const NEAR = 300

function named(text: string): Command | undefined {
  const phrase = phrases.exec(text)
  return phrase ? meaningOf(phrase[1] ?? phrase[2] ?? phrase[0]) : lastSent(text)
}

/** Postfix and Exim, United Internet, Yahoo, Gmail and qmail write these. */
const phrases =
  /\b(?:after|during|in (?:reply|response) to|response from|while sending|stage:) ?(?:the )?(?:sending |pipelined )?(end of data|end of message|transfer of mail text|message body|rcpt(?: to)?|mail from|ehlo|helo|starttls|initial connection|connect|data|text command)\b|\bfor (rcpt to|mail from|data) command|\[(?:rcpt|mail|data|body)(?:_\w+)?\]|\(state 1[3-8]\)|does not like recipient|did not like our (?:rcpt|mail|data)|-smtp command (?:rcpt|mail|data)\b|after i sent the message/i

const everyPhrase = new RegExp(phrases, 'gi')

/** The last one in the transcripts of Sendmail, where `>>>` is what was sent, and of InterScan, which writes `Sent <<<`. */
function lastSent(text: string): Command | undefined {
  const sent = Array.from(text.matchAll(/(?:>>>|\bsent <<<) ?(ehlo|helo|mail|rcpt|data)\b/gi)).at(-1)?.[1]
  return sent === undefined ? undefined : meaningOf(sent)
}

function lastPhrase(text: string): Command | undefined {
  const phrase = Array.from(text.matchAll(everyPhrase)).at(-1)
  return phrase && meaningOf(phrase[1] ?? phrase[2] ?? phrase[0])
}

function meaningOf(command: string): Command {
  if (/rcpt|recipient|state 1[34]/i.test(command)) return 'recipient'
  return /data|body|message|text|state/i.test(command) ? 'message' : 'hello'
}
