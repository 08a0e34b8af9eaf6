import { Parser } from 'htmlparser2'
import { describe, expect, test } from 'vitest'
import { parseTemplate } from '../../src/template/parse.ts'
import { render } from '../../src/template/render.ts'
import type { Context, Template } from '../../src/template/syntax.ts'
import { starters, type Starter } from '../../src/resources/templates/starters/index.ts'
import { variablesOf } from './variables.ts'

/** Gmail shows no more than this of a message, and hides the way to unsubscribe with the rest. */
const CLIPPED_AT = 102 * 1024

const parts = { subject: 'header', html: 'html', text: 'text' } as const satisfies Record<string, Context>
type Part = keyof typeof parts

function parsed(starter: Starter, part: Part): Template {
  const result = parseTemplate(starter[part], parts[part])
  if (!result.ok) throw new Error(`${starter.alias} ${part}: ${JSON.stringify(result.problems)}`)
  return result.template
}

/** With all of its sample, or with no more than a send has to bring. */
function rendered(starter: Starter, part: Part, all = true): string {
  const isThere = (name: string) => all || starter.variables.some((known) => known.name === name && known.required)
  const fallbacks = starter.variables.filter(({ fallback }) => fallback !== null)
  const variables = Object.fromEntries([
    ...fallbacks.map(({ name, fallback }) => [name, fallback]),
    ...Object.entries(starter.sample).filter(([name]) => isThere(name)),
  ])
  const result = render(parsed(starter, part), variables)
  if (!result.ok) throw new Error(`${starter.alias} ${part}: ${result.problem.message}`)
  return result.output
}

interface Element {
  name: string
  attributes: Record<string, string>
}

/** Elements in order, and whatever was not closed by its own tag. */
function elementsOf(html: string): { elements: Element[]; sloppy: string[] } {
  const elements: Element[] = []
  const sloppy: string[] = []
  const single = new Set(['meta', 'img', 'br', 'hr', 'link', 'input'])
  const parser = new Parser({
    onopentag: (name, attributes) => void elements.push({ name, attributes }),
    onclosetag(name, implied) {
      if (implied && !single.has(name)) sloppy.push(name)
    },
  })
  parser.end(html)
  return { elements, sloppy }
}

test('there is a starter for what every project sends, each with a name and an alias of its own', () => {
  const aliases = starters().map(({ alias }) => alias)
  expect(aliases.join(' ')).toBe(
    'welcome verify-address password-reset receipt invoice invitation notification newsletter',
  )
  expect(new Set(starters().map(({ name }) => name)).size).toBe(aliases.length)
})

describe.each(starters().map((starter) => [starter.alias, starter] as const))('the starter %s', (_alias, starter) => {
  test('declares exactly the variables that it uses', () => {
    const used = (['subject', 'html', 'text'] as const).flatMap((part) => variablesOf(parsed(starter, part)))
    const names = [...new Set(used.map((path) => path.split('.')[0]))].toSorted()
    expect(starter.variables.map(({ name }) => name).toSorted()).toEqual(names)
    expect(Object.keys(starter.sample).filter((name) => !names.includes(name))).toEqual([])
    for (const { name, required } of starter.variables) if (required) expect(starter.sample).toHaveProperty(name)
  })

  test.each([true, false])('leaves nothing open, with all of its values or with the needed ones (all: %s)', (all) => {
    const html = rendered(starter, 'html', all)
    const subject = rendered(starter, 'subject', all)
    const text = rendered(starter, 'text', all)
    for (const part of [html, subject, text]) expect(part).not.toMatch(/\{[{%]|[%}]\}\}|undefined|null|NaN|\[object/)
    expect(subject).toMatch(/^\S.{5,76}\S$/)
    expect(text).toMatch(/^\S[^]*\S\n$/)
    expect(text).not.toMatch(/\n{3}|[ \t]\n|<\/|&\w+;/)
    expect(Buffer.byteLength(html)).toBeLessThan(CLIPPED_AT / 5)
    const { elements, sloppy } = elementsOf(html)
    expect(sloppy).toEqual([])
    for (const { attributes } of elements)
      if ('href' in attributes) expect(attributes['href']).toMatch(/^(https:|mailto:)./)
  })

  test('can be read by everyone, everywhere, in the light and in the dark', () => {
    const html = rendered(starter, 'html')
    const { elements } = elementsOf(html)
    const named = (name: string) => elements.filter((element) => element.name === name)
    expect(named('html')[0]?.attributes).toMatchObject({ lang: 'en', dir: 'ltr' })
    expect(named('title')).toHaveLength(1)
    expect(named('h1')).toHaveLength(1)
    expect(named('meta').map(({ attributes }) => attributes['name'])).toContain('color-scheme')
    expect(html).toContain('@media (prefers-color-scheme: dark)')
    expect(html).toContain('mso-hide:all')
    for (const { attributes } of named('table')) expect(attributes['role'] ?? attributes['aria-label']).toBeTruthy()
    for (const { attributes } of named('th')) expect(attributes['scope']).toBe('col')
    expect(named('script').length + named('link').length + named('iframe').length).toBe(0)
    expect(html).not.toMatch(/#000\b|#000000|#fff\b|#ffffff|\bblack\b|\bwhite\b(?!-)/i)
  })

  test('loads nothing from anywhere: the addresses in it come from its variables', () => {
    expect(starter.html).not.toMatch(/https?:|\/\/[a-z]|url\(|@import|@font-face/i)
  })

  test('says the same in plain text', () => {
    const [html, text] = [decoded(rendered(starter, 'html')), rendered(starter, 'text')]
    const values = leaves(starter.sample).flatMap((value) => value.split('\n'))
    expect(values.length).toBeGreaterThan(3)
    for (const value of values) expect([value, text.includes(value)]).toEqual([value, html.includes(value)])
    const shown = values.filter((value) => text.includes(value))
    expect(shown.length).toBeGreaterThanOrEqual(values.length - 2)
  })
})

test('a newsletter shows pictures that its articles bring, and says what is on them', () => {
  const newsletter = starters().find(({ alias }) => alias === 'newsletter')!
  const articles = [
    { title: 'a', text: 'b', url: 'https://x.example', imageUrl: 'https://x.example/i', imageAlt: 'A "c"' },
  ]
  const html = rendered({ ...newsletter, sample: { ...newsletter.sample, articles } }, 'html')
  const picture = elementsOf(html).elements.find(({ name }) => name === 'img')
  expect(picture?.attributes).toMatchObject({ src: 'https://x.example/i', alt: 'A "c"' })
})

test('a newsletter always has a way out, above where clients clip', () => {
  const newsletter = starters().find(({ alias }) => alias === 'newsletter')!
  for (const part of ['html', 'text'] as const) {
    expect(rendered(newsletter, part)).toContain(newsletter.sample['unsubscribeUrl'])
  }
  expect(newsletter.variables).toContainEqual({ name: 'unsubscribeUrl', required: true, fallback: null })
})

/** Every text in a sample that the message shows as it is. */
function leaves(value: unknown): string[] {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\d(T|$)/.test(value) ? [] : [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : []
}

const decoded = (html: string): string =>
  html
    .replaceAll('&#34;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
