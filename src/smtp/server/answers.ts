/** The server's own answers. Policy and delivery bring theirs. */
import { ownReply, type Reply } from '../../mail/replies/reply.ts'

/** The server closes the connection after 221 and 421, and after an answer with `closes`. */
export interface Answer extends Reply {
  closes?: true
  /** EHLO lists what the server offers on lines behind the first. */
  more?: readonly string[]
}

export const closing = (answer: Answer): Answer => ({ ...answer, closes: true })

export const isLast = ({ code, closes }: Answer): boolean => closes === true || code === 221 || code === 421

/** Returns the lines as they are sent. */
export function formatAnswer({ code, enhanced, text, more = [] }: Answer): string {
  const first = enhanced === undefined ? text : `${enhanced} ${text}`
  if (more.length === 0) return `${code} ${printable(first)}\r\n`
  const lines = [first, ...more]
  return lines.map((line, at) => `${code}${at === lines.length - 1 ? ' ' : '-'}${line}\r\n`).join('')
}

/**
 * RFC 5321 §4.5.3.1.5 allows 512 octets with code and line end. The text may come from a database, so it is not
 * trusted.
 */
const printable = (text: string): string =>
  /^[ -~]{1,500}$/.test(text) ? text : text.replaceAll(/[^ -~]/g, '?').slice(0, 500)

export const greeting = (hostname: string): Answer => ownReplyWithoutClass(220, `${hostname} ESMTP Posthouse`)
export const hello = (hostname: string, offers: readonly string[] = []): Answer => ({
  ...ownReplyWithoutClass(250, hostname),
  more: offers,
})
/** RFC 2034 §3: greetings and 354 have no enhanced code. */
const ownReplyWithoutClass = (code: number, text: string): Answer => ({ code, enhanced: undefined, text })

export const sendData = ownReplyWithoutClass(354, 'End data with <CR><LF>.<CR><LF>')
export const ok = ownReply(250, '2.0.0', 'Ok')
export const senderOk = ownReply(250, '2.1.0', 'Ok')
export const recipientOk = ownReply(250, '2.1.5', 'Ok')
export const bye = ownReply(221, '2.0.0', 'Bye')
export const readyForTls = ownReply(220, '2.0.0', 'Ready to start TLS')
export const wontVerify = ownReply(252, '2.0.0', 'Send some mail, and we will see')
export const help = ownReply(214, '2.0.0', 'EHLO HELO MAIL RCPT DATA RSET NOOP VRFY STARTTLS HELP QUIT; see RFC 5321')

export const unknownCommand = ownReply(500, '5.5.2', 'Command not recognized')
export const lineTooLong = ownReply(500, '5.5.2', 'Line too long')
export const badLineEnd = ownReply(500, '5.5.2', 'Lines must end with CR LF, and have neither of them elsewhere')
export const badCharacter = ownReply(500, '5.5.2', 'Line has control characters or is not UTF-8')
export const notImplemented = ownReply(502, '5.5.1', 'Command not implemented')
export const badParameters = ownReply(501, '5.5.4', 'Syntax error in parameters')
export const unknownParameter = ownReply(555, '5.5.4', 'Parameter not recognized or not implemented')
export const badSender = ownReply(501, '5.1.7', 'Bad sender address syntax')
export const badRecipient = ownReply(501, '5.1.3', 'Bad recipient address syntax')
export const needsSmtpUtf8 = ownReply(553, '5.6.7', 'Address needs SMTPUTF8, which was not asked for')
export const noRelay = ownReply(550, '5.7.1', 'Relaying denied')
export const helloFirst = ownReply(503, '5.5.1', 'Send EHLO or HELO first')
export const mailFirst = ownReply(503, '5.5.1', 'Send MAIL first')
export const recipientFirst = ownReply(503, '5.5.1', 'Send RCPT first')
export const nestedMail = ownReply(503, '5.5.1', 'Nested MAIL command')
export const alreadyTls = ownReply(503, '5.5.1', 'TLS is already active')
export const noValidRecipients = ownReply(554, '5.5.1', 'No valid recipients')
export const talksEarly = closing(ownReply(554, '5.5.1', 'Wait for the greeting before you talk'))
export const tooManyRecipients = ownReply(452, '4.5.3', 'Too many recipients')
export const outOfMemory = ownReply(452, '4.3.1', 'Too many large messages at the moment')
export const outOfStorage = ownReply(452, '4.3.1', 'Not enough storage at the moment, try again later')
export const tooLargeForMailbox = ownReply(552, '5.3.4', 'Message is too large for this mailbox')
export const tooLarge = ownReply(552, '5.3.4', 'Message is too large')
/** The server reads nothing more after this answer: what follows may not come from the client's user. */
export const bareLineEnd = closing(ownReply(550, '5.5.2', 'Message has a CR or LF that is not part of a CR LF'))
export const nulByte = ownReply(550, '5.6.0', 'Message has a NUL byte')
export const mailLoop = ownReply(554, '5.4.6', 'Message has passed too many servers')
export const localError = ownReply(451, '4.3.0', 'Local error, try again later')

export const tooManyConnections = ownReply(421, '4.7.0', 'Too many connections')
export const tooManyBadRecipients = ownReply(421, '4.7.0', 'Too many unknown recipients')
export const tooManyBadCommands = ownReply(421, '4.7.0', 'Too many errors')
export const tooManyIdleCommands = ownReply(421, '4.7.0', 'Too many commands without a message')
export const wrongProtocol = ownReply(421, '4.7.0', 'This is a mail server')
export const timeout = ownReply(421, '4.4.2', 'Timeout')
export const sessionTooLong = ownReply(421, '4.4.2', 'Session is too long, connect again')
export const noMessageForTooLong = ownReply(421, '4.4.2', 'No message for too long, connect again')
export const placeNeeded = ownReply(421, '4.3.2', 'All connections are taken and yours has no message, connect again')
export const shuttingDown = ownReply(421, '4.3.2', 'Service is shutting down, try again later')
export const brokenSession = ownReply(421, '4.3.0', 'Local error, try again later')
