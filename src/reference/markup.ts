import { markup, type Markup, type Part } from '../core/markup.ts'

/** Text with the code that belongs to it; side by side where there is room. */
export const section = (id: string, text: Markup, code: Markup): Markup =>
  markup`<section id="${id}">\n<div>${text}</div>\n<div class="code">${code}</div>\n</section>\n`

/** Quoted text stands out, except for the names of fields. */
export function figure(title: string, code: unknown): Markup {
  const text = typeof code === 'string' ? code : JSON.stringify(code, undefined, 2)
  const tokens = text.split(/("(?:[^"\\]|\\.)*":?)/)
  const parts = tokens.map((token) => (/^".*"$/.test(token) ? markup`<span>${token}</span>` : token))
  return markup`<figure><figcaption>${title}</figcaption><pre>${parts}</pre></figure>`
}

/** For what is looked up rather than read. */
export const fold = (title: string, content: Part): Markup =>
  markup`<details><summary>${title}</summary>${content}</details>\n`

export type Row = [name: string, note: string, text: Part]

export const table = (left: string, right: string, rows: Row[]): Markup => markup`<table>
<thead><tr><th scope="col">${left}<th scope="col">${right}</thead><tbody>${rows.map(
  ([name, note, text]) => markup`<tr><th scope="row"><code>${name}</code> <small>${note}</small><td>${text}\n`,
)}</tbody></table>`

/** The little Markdown of our own sentences: paragraphs, lists and code. */
export function prose(text: string): Markup[] {
  const blocks = text.split('\n\n').filter(Boolean)
  return blocks.map((block) =>
    block.startsWith('- ')
      ? markup`<ul>${block.split('\n').map((line) => markup`<li>${inline(line.slice(2))}`)}</ul>`
      : markup`<p>${inline(block)}</p>`,
  )
}

export const inline = (line: string): Part[] =>
  line.split('`').map((part, i) => (i % 2 === 1 ? markup`<code>${part}</code>` : part))
