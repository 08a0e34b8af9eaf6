/** What somebody thinks of each signature of a message, by its selector. */
export type Verdict = Record<string, 'pass' | 'fail'>

/** For a list of messages, in its order. */
export type Judge = (messages: readonly Buffer[]) => Promise<Verdict[]>

/** The selectors of the signatures of a message, by algorithm, from top to bottom. */
export function selectorsOf(message: Buffer): Record<string, string> {
  const head = message.toString('latin1').split('\r\n\r\n', 1)[0] ?? ''
  const fields = head.replaceAll(/\r\n[ \t]/g, ' ').split('\r\n')
  const signatures = fields.filter((field) => field.startsWith('DKIM-Signature: '))
  const tag = (name: string, field: string): string => new RegExp(`[ ;]${name}=([^; ]+)`).exec(field)?.[1] ?? ''
  return Object.fromEntries(signatures.map((field) => [tag('a', field), tag('s', field)]))
}
