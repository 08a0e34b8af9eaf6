/** A report without parts: words of the server, then the message that it is about, or the beginning of it. */
export interface SplitText {
  readonly words: string
  readonly returned: string | undefined
}

/** Reports are short; of what is longer only this much is looked at. */
const MAX_LINES = 2_000
const MAX_LINE_LENGTH = 1_000
const MAX_LENGTH = 128 * 1024

export function splitAtReturned(text: string): SplitText {
  const lines = text.slice(0, MAX_LENGTH).split('\n', MAX_LINES)
  const mark = lines.findIndex((line) => line.length < MAX_LINE_LENGTH && isSeparator(line))
  const start = fieldsFrom(lines, mark + 1)
  if (mark < 0 && start < 0) return { words: lines.join('\n'), returned: undefined }
  const words = lines.slice(0, mark < 0 ? start : mark).join('\n')
  return { words, returned: start < 0 ? undefined : unindented(lines.slice(start)).join('\n') }
}

/** Two tests for the first: in one expression the hyphens of a long line could be shared out in too many ways. */
const isSeparator = (line: string): boolean =>
  (/^[\s|*=-]*--/.test(line) && behindRule.test(line)) || sentences.some((sentence) => sentence.test(line))

const behindRule =
  /\b(?:original (?:message|mail)|(?:returned|unsent|undelivered) (?:message|mail)|copy of (?:the|your)|headers? of the|message (?:text|headers?|body) follows?|message d'origine|ursprüngliche nachricht|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht)/i

const sentences = [
  /^\s*(?:the )?original (?:message|mail) (?:as )?follows?\b/i,
  /^\s*(?:below|included|attached|here) (?:this line )?is (?:a copy of )?(?:the |your )?(?:original )?message/i,
  /^\s*(?:original|full) message headers?:?\s*$/i,
]

/** Returns where a block of fields begins that can only be the header of a message. */
function fieldsFrom(lines: readonly string[], from: number): number {
  let [start, score, isMessage] = [-1, 0, false]
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const name = /^[ \t]{0,4}([\w-]{2,60}):/.exec(line)?.[1]?.toLowerCase()
    if (name !== undefined) {
      if (start < 0) start = at
      score += heads.has(name) ? 2 : others.has(name) ? 1 : 0
      // Some servers log in such lines when they wrote to whom; a real message always has a From.
      isMessage ||= heads.has(name) || name === 'from'
      if (score >= 4 && isMessage) return start
    } else if (line.trim() === '' || !/^\s/.test(line)) [start, score, isMessage] = [-1, 0, false]
  }
  return -1
}

const heads = new Set('received message-id dkim-signature mime-version return-path x-received arc-seal'.split(' '))
const others = new Set('from to subject date cc reply-to content-type sender x-mailer'.split(' '))

function unindented(lines: readonly string[]): string[] {
  const indent = /^[ \t]*/.exec(lines[0] ?? '')?.[0] ?? ''
  return lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
}
