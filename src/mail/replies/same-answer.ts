/** What of a server's words is about one mail: answers that differ in nothing else are the same answer. */

/** An address as RFC 5321 writes it, with a quoted local part or an address literal too. */
const address = /(?:"[^"]*"|[^\s<>()[\]",;]+)@(?:\[[^\]]*\]|[^\s<>()[\]",;:]+)/g

/** A caller who may see what servers answer need not be one who may see to whom mail is sent. */
export const withoutAddresses = (text: string): string => text.replaceAll(address, '…@…')

/** A number of a message, a time, a code: a word with a digit in it. PostgreSQL reads the pattern in the same way. */
export const NUMBER_PATTERN = String.raw`[\w-]*\d[\w-]*`

const number = new RegExp(NUMBER_PATTERN, 'g')

export const withoutNumbers = (text: string): string => text.replaceAll(number, '#')
