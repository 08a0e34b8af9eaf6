import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Visitor } from './visitor.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** WCAG 2.0 to 2.2, A and AA, and what axe thinks good practice. Frames hold mail, which others wrote. */
const options: RunOptions = {
  iframes: false,
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}

/** The rules whose verdict depends on colours. */
const colours: RunOptions = {
  iframes: false,
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
}

/** What axe finds wrong with the page as it is now, one sentence for each place. */
export async function axeFindings({ page }: Visitor, what: 'everything' | 'colours' = 'everything'): Promise<string[]> {
  // By the debugger, to which the policy of the page does not apply.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(`${source}; undefined`)
  const { violations } = await page.evaluate(
    (options) => (window as unknown as { axe: { run(options: unknown): Promise<AxeResults> } }).axe.run(options),
    (what === 'everything' ? options : colours) as object,
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${help} at ${String(target)} (${failureSummary})`),
  )
}
