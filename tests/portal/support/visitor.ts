/**
 * Somebody in front of the portal. Everything is found by its role and its accessible name, as people and screen readers
 * find it; clicks and keys are counted where they arrive, in the page.
 */
import { chromium, type Browser, type BrowserContext, type Frame, type Locator, type Page } from 'playwright-core'
import { inject, onTestFinished } from 'vitest'
import { seeFocus, type FocusSeen } from './focus.ts'
import { watchInput, type Input } from './input.ts'

export interface VisitorOptions {
  /** The address of the installation; `portalOf(world)` has it. */
  url: string
  scheme?: 'light' | 'dark'
  /** `narrow` is 320 px wide. */
  screen?: 'wide' | 'narrow'
  contrast?: 'more' | 'no-preference'
  locale?: string
  timeZone?: string
}

export const screens = { wide: { width: 1280, height: 900 }, narrow: { width: 320, height: 640 } } as const

const MAX_STOPS = 100

let browser: Promise<Browser> | undefined
const breaches: string[] = []

/** What happened since the last look that must never happen. */
export const takeBreaches = (): string[] => breaches.splice(0)

/** The address under which a world serves the portal. By name, because passkeys need one. */
export const portalOf = ({ api }: { api: { url: string } }): string => api.url.replace('127.0.0.1', 'localhost')

/** A person with a browser profile of their own, gone when the test ends. */
export async function visitor({
  url,
  scheme = 'light',
  screen = 'wide',
  contrast = 'no-preference',
  locale = 'en-GB',
  timeZone = 'Europe/Zurich',
}: VisitorOptions): Promise<Visitor> {
  const shared = await (browser ??= chromium.connect(inject('browser')))
  const context = await shared.newContext({
    baseURL: url,
    viewport: screens[screen],
    colorScheme: scheme,
    contrast,
    locale,
    timezoneId: timeZone,
    reducedMotion: 'reduce',
  })
  onTestFinished(() => context.close())
  return newVisitor(context, url)
}

/** What everybody who visits has: input is counted, and breaches are noted. */
async function newVisitor(context: BrowserContext, url: string): Promise<Visitor> {
  const input: Input = { clicks: 0, keys: 0, typed: 0 }
  // On a busy machine everything may take ten times as long as it should.
  context.setDefaultTimeout(60_000)
  await context.exposeBinding('noteInput', (_, kind: keyof Input) => void input[kind]++)
  await context.exposeBinding('noteBreach', (_, sentence: string) => void breaches.push(sentence))
  await context.addInitScript(watchInput)
  context.on('request', (request) => {
    const asked = new URL(request.url())
    const isOwn = asked.origin === new URL(url).origin || ['data:', 'blob:', 'about:'].includes(asked.protocol)
    if (!isOwn) breaches.push(`a request left for ${asked.origin}`)
  })
  context.on('weberror', (error) => breaches.push(`not caught: ${String(error.error())}`))
  return new Visitor(await context.newPage(), input)
}

export class Visitor {
  /** For what the helpers below do not have. */
  readonly page: Page
  readonly #input: Input

  constructor(page: Page, input: Input) {
    this.page = page
    this.#input = input
  }

  /** A path of the portal. */
  async open(path: string): Promise<void> {
    await this.page.goto(path)
  }

  button = (name: string): Locator => this.page.getByRole('button', { name, exact: true })
  link = (name: string): Locator => this.page.getByRole('link', { name, exact: true })
  heading = (name: string): Locator => this.page.getByRole('heading', { name, exact: true })
  /** By its label; a password has no role. */
  field = (label: string): Locator => this.page.getByLabel(label, { exact: true })
  choice = (name: string): Locator => this.page.getByRole('radio', { name, exact: true })
  checkbox = (name: string): Locator => this.page.getByRole('checkbox', { name, exact: true })
  combobox = (name: string): Locator => this.page.getByRole('combobox', { name, exact: true })
  tab = (name: string): Locator =>
    this.page.getByRole('tab', { name, exact: true }).or(this.page.getByRole('link', { name, exact: true }))
  menuItem = (name: string): Locator => this.page.getByRole('menuitem', { name, exact: true })
  dialog = (name?: string): Locator =>
    this.page.getByRole('dialog', { ...(name !== undefined && { name }) }).or(this.page.getByRole('alertdialog'))
  table = (name: string): Locator => this.page.getByRole('table', { name, exact: true })
  text = (text: string | RegExp): Locator => this.page.getByText(text)

  /** The frame of a mail, by its title. */
  async frame(title: string): Promise<Frame> {
    const element = await this.page.locator(`iframe[title="${title}"]`).elementHandle()
    const frame = await element?.contentFrame()
    if (!frame) throw new Error(`no frame is titled ${title}`)
    return frame
  }

  /** How often a button of the mouse and how many keys were pressed since the last `forget`; typing into fields is apart. */
  get input(): Readonly<Input> {
    return { ...this.#input }
  }

  forget(): void {
    Object.assign(this.#input, { clicks: 0, keys: 0, typed: 0 })
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key)
  }

  /** Where the focus is, seen from `sought` or from the whole page. */
  focus(sought = this.page.locator('body')): Promise<FocusSeen> {
    return sought.evaluate(seeFocus)
  }

  /** The focus as it is seen: what follows it may come with the next frames. */
  async #drawnFocus(sought: Locator): Promise<FocusSeen> {
    const focus = await this.focus(sought)
    if (focus.problem === undefined) return focus
    await this.nextFrames()
    return this.focus(sought)
  }

  /** Moves on with Tab until the focus is on what is sought; fails where it never comes there, or cannot be seen on the way. */
  async tabTo(sought: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    for (let i = 0; i < MAX_STOPS; i++) {
      const { isThere, problem } = await this.#drawnFocus(sought)
      if (problem !== undefined && (i > 0 || isThere)) throw new Error(`${problem}, on the way to ${String(sought)}`)
      if (isThere) return
      await this.page.keyboard.press(key)
    }
    throw new Error(`the focus did not reach ${String(sought)} with ${MAX_STOPS} tabs`)
  }

  /** One more tab of the same browser. */
  async anotherTab(): Promise<Visitor> {
    return new Visitor(await this.page.context().newPage(), this.#input)
  }

  /** Comes back to this tab, as far as the page can tell: a browser without a screen never leaves one. */
  async lookAgain(): Promise<void> {
    await this.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  }

  /** What depends on the size of the window follows with the next frames. */
  async nextFrames(): Promise<void> {
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  }

  /** What scrolls sideways and should not; tables, code and plots do in regions of their own. */
  sideways(): Promise<string[]> {
    return this.page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      const elements = [...document.querySelectorAll<HTMLElement>('body *')]
      const textOf = (one: HTMLElement): string =>
        `${one.tagName.toLowerCase()}.${one.className}: ${one.textContent?.slice(0, 60)}`
      const endOf = (one: HTMLElement): number => one.getBoundingClientRect().right
      const furthest = elements.reduce((most, one) => (endOf(one) > endOf(most) ? one : most), document.body)
      const scrollers = elements.filter(
        (one) =>
          one.scrollWidth > one.clientWidth + 1 &&
          ['auto', 'scroll'].includes(getComputedStyle(one).overflowX) &&
          !one.matches('textarea, pre, pre *, :has(> table), :has(> pre), :has(> canvas)'),
      )
      return [
        ...(scrollWidth > clientWidth ? [`the page: ${scrollWidth} px, as far as ${textOf(furthest)}`] : []),
        ...scrollers.map(textOf),
      ]
    })
  }
}
