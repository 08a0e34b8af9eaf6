/** Texts that would do harm if they were anything but text, and what tells whether they did. */
import { piecesOf } from '../../../portal/src/kit/visible.ts'
import { controls, payloads } from '../payloads.ts'
import type { Visitor } from './visitor.ts'

export const texts = Object.values(payloads)
export const allTexts = [...texts, ...Object.values(controls)]

/** As the portal shows it: with marks in place of what nobody would see. */
export const asShown = (text: string): string =>
  piecesOf(text)
    .map((piece) => piece.text)
    .join('')

/** Notes whatever runs, asks or opens, in every frame. */
export async function setTraps({ page }: Visitor): Promise<string[]> {
  const traps: string[] = []
  await page.context().exposeBinding('trapped', ({ frame }) => void traps.push(`something ran in ${frame.url()}`))
  page.on('dialog', (dialog) => {
    traps.push(`a dialog asked ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.context().on('page', (other) => traps.push(`another page opened: ${other.url()}`))
  return traps
}

/** What is not text in the page, or cannot be seen in it. Frames hold mail, which `mail-frame.test.ts` looks at. */
export const problemsOn = ({ page }: Visitor): Promise<string[]> =>
  page.evaluate(() => {
    const hidden =
      // oxlint-disable-next-line no-control-regex, no-misleading-character-class
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\u2800\u3164\ufeff\u{e0000}-\u{e0fff}]/u
    const rightToLeft = /[\u0590-\u06ff]/
    const problems = new Set<string>()
    const read = new Set(['aria-label', 'title', 'alt', 'placeholder'])
    for (const element of document.querySelectorAll('*')) {
      const place = `${element.tagName} in ${element.closest('[class]')?.className ?? ''}`
      for (const { name, value } of element.attributes) {
        if (name.startsWith('on')) problems.add(`a handler: ${place}`)
        const isAddress = ['href', 'src', 'action', 'formaction', 'data'].includes(name)
        if (isAddress && /^\s*(?:javascript|data):/i.test(value) && !element.matches('link[rel="icon"]')) {
          problems.add(`an address that runs: ${place} ${value}`)
        }
        if (read.has(name) && hidden.test(value)) problems.add(`hidden characters in ${name}: ${place}`)
      }
      if (element.matches('object, embed, base, math, video, audio, picture, iframe[srcdoc]')) {
        problems.add(`an element that we do not write: ${place}`)
      }
      if (element instanceof HTMLScriptElement && !element.src.startsWith(`${location.origin}/assets/`)) {
        problems.add(`a script: ${place}`)
      }
    }
    const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const [text, parent] = [node.textContent ?? '', node.parentElement]
      const place = `${parent?.tagName} in ${parent?.closest('[class]')?.className ?? ''}: ${text.slice(0, 80)}`
      if (parent?.matches('style')) continue
      if (hidden.test(text)) problems.add(`hidden characters in ${place}`)
      if (rightToLeft.test(text) && parent?.closest('bdi, pre, option, title, textarea') === null) {
        problems.add(`another direction in ${place}`)
      }
    }
    return [...problems]
  })
