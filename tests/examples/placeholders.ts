import type { PosthouseProcess } from '../support/posthouse-process.ts'

export interface Surroundings {
  root: string
  node: PosthouseProcess
  /** Where webhooks go. */
  receiverPort: number
  /** What was printed so far on this page, the greeting of the first start first. */
  shown: readonly string[]
}

/** What a reader puts in for what the examples cannot know. */
export function fillIn(statement: string, { root, node, receiverPort, shown }: Surroundings): string {
  const { workspace, project } = node.keys
  const replacements: [placeholder: string | RegExp, meaning: string | ((...match: string[]) => string)][] = [
    ['http://127.0.0.1:3000', node.url],
    ['smtp://127.0.0.1:2525', `smtp://127.0.0.1:${node.smtpPort}`],
    ['https://example.com/hooks/posthouse', `http://127.0.0.1:${receiverPort}/hooks/posthouse`],
    ['npx posthouse', `npx --prefix '${root}' posthouse`],
    ['POSTHOUSE_KEY=ph_live_…', `POSTHOUSE_KEY=${project}`],
    ['WORKSPACE_KEY=ph_live_…', `WORKSPACE_KEY=${workspace}`],
    ['….in.posthouse.test', () => newest(/\w+\.in\.posthouse\.test/, shown)],
    [/\b([a-z_]+)_…/g, (_, kind = '') => newest(new RegExp(`\\b${kind}_[0-9A-Za-z]{26,}`), shown)],
    [/(?<="sendAt": ")[^"]+/g, new Date(Date.now() + 24 * 3_600_000).toISOString()],
  ]
  let filled = statement
  for (const [placeholder, meaning] of replacements) filled = filled.replaceAll(placeholder, meaning as string)
  if (/^[^#]*…/m.test(filled)) throw new Error(`nobody knows what … is in:\n${filled}`)
  return filled
}

/** Answers begin with the id of what they show, and lists with the newest. */
function newest(kind: RegExp, shown: readonly string[]): string {
  const found = shown.findLast((text) => kind.test(text))
  if (found === undefined) throw new Error(`nothing on this page has shown ${kind.source}`)
  return kind.exec(found)?.[0] ?? ''
}
