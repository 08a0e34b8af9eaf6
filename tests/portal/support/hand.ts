/** What people do to a page, by mouse or by keyboard alone. Both write with the keyboard, and go from field to field with Tab. */
import { expect } from 'vitest'
import type { Locator } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'
import type { Visitor } from './visitor.ts'

export abstract class Hand {
  readonly visitor: Visitor
  /** How often the navigation had to be opened first, because the screen is narrow. */
  menus = 0

  constructor(visitor: Visitor) {
    this.visitor = visitor
  }

  /** A button or a link. */
  abstract press(what: Locator): Promise<void>
  /** One of several choices. */
  abstract choose(choice: Locator): Promise<void>
  /** An entry of a list that opens. */
  abstract select(list: Locator, entry: string): Promise<void>

  async write(field: Locator, text: string): Promise<void> {
    await this.visitor.tabTo(field)
    await this.visitor.press('ControlOrMeta+A')
    await this.visitor.page.keyboard.type(text)
  }

  /** Follows a link of the main navigation. */
  async goTo(link: string, title = link): Promise<void> {
    const { page } = this.visitor
    const main = page.getByRole('navigation', { name: 'Main' })
    const menu = this.visitor.button('Menu')
    await main.or(menu).first().waitFor()
    if (await menu.isVisible()) {
      this.menus++
      await this.press(menu)
    }
    await this.press(main.getByRole('link', { name: link, exact: true }))
    await this.arrives(title)
  }

  /** Another page has come: its heading has the focus. */
  async arrives(title: string): Promise<void> {
    await this.visitor.heading(title).first().waitFor()
    const focused = (): Promise<string> =>
      this.visitor.page.evaluate(() => `${document.activeElement?.tagName}: ${document.activeElement?.textContent}`)
    await expect.poll(focused).toBe(`H1: ${title}`)
    await this.fits()
  }

  /** Something has come on the same page. */
  async sees(what: Locator): Promise<void> {
    await what.first().waitFor()
    await this.fits()
  }

  async fits(): Promise<void> {
    expect(await this.visitor.sideways()).toEqual([])
  }
}

export class Mouse extends Hand {
  press = (what: Locator): Promise<void> => what.click()
  choose = (choice: Locator): Promise<void> => choice.click()

  async select(list: Locator, entry: string): Promise<void> {
    await list.selectOption(entry)
  }
}

export class Keyboard extends Hand {
  async press(what: Locator): Promise<void> {
    await this.visitor.tabTo(what)
    const { page } = this.visitor
    const before = await page.evaluate(() => performance.timeOrigin)
    await this.visitor.press('Enter')
    // What loads a page anew begins at its top.
    await eventually('the focus is somewhere after the press', () =>
      page.evaluate((before) => document.activeElement !== document.body || performance.timeOrigin !== before, before),
    )
  }

  /** Tab leads to the one that is chosen already, arrows to the others. */
  async choose(choice: Locator): Promise<void> {
    const name = await choice.getAttribute('name')
    await this.visitor.tabTo(this.visitor.page.locator(`input[name="${name}"]:checked`))
    const isChosen = (): Promise<boolean> => choice.isChecked()
    for (let i = 0; i < 20 && !(await isChosen()); i++) await this.visitor.press('ArrowDown')
    expect(await isChosen()).toBe(true)
  }

  async select(list: Locator, entry: string): Promise<void> {
    await this.visitor.tabTo(list)
    await this.visitor.page.keyboard.type(entry)
  }

  override async sees(what: Locator): Promise<void> {
    await super.sees(what)
    await eventually('the focus is somewhere', async () => !(await this.visitor.focus()).isLost)
  }
}
