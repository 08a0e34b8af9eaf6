import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What stands between two fences. */
export interface Block {
  document: string
  line: number
  /** The nearest above. */
  heading: string
  language: string
  /** Behind the language: the name of the file that the block is. */
  file: string | undefined
  text: string
}

/** As the table of exceptions calls it. */
export const nameOf = ({ document, text }: Block): string => `${document}: ${text.split('\n')[0]}`

export const placeOf = ({ document, line }: Block): string => `${document}:${line}`

/** README first: the others take up where it ends. */
export function documents(root: string): string[] {
  const below = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  return [
    'README.md',
    'ARCHITECTURE.md',
    ...below
      .filter((file) => file.endsWith('.md'))
      .toSorted()
      .map((file) => `docs/${file}`),
  ]
}

export function blocksOf(root: string, document: string): Block[] {
  const blocks: Block[] = []
  let heading = ''
  let open: { block: Block; lines: string[] } | undefined
  for (const [at, line] of readFileSync(join(root, document), 'utf8').split('\n').entries()) {
    const fence = /^```(\S*) ?(.*)$/.exec(line)
    if (open === undefined) heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading
    if (!fence) {
      open?.lines.push(line)
    } else if (open) {
      blocks.push({ ...open.block, text: open.lines.join('\n') })
      open = undefined
    } else {
      const [, language = '', file] = fence
      open = { block: { document, line: at + 1, heading, language, file: file || undefined, text: '' }, lines: [] }
    }
  }
  if (open) throw new Error(`${placeOf(open.block)}: this fence is never closed`)
  return blocks
}

/** Settings in the running text: code between single backticks that begins like `NAME=value`. */
export const settingsIn = (root: string, document: string): string[] =>
  readFileSync(join(root, document), 'utf8')
    .replaceAll(/^```[^]*?^```/gm, '')
    .match(/(?<=`)[A-Z][A-Z0-9_]+=[^`…$]+(?=`)/g) ?? []
