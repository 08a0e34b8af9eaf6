/** Takes the pictures of `docs/portal`: `npm run screenshots`. */
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { version } from '../../../src/app/version.ts'
import { giveCookie } from '../support/people.ts'
import { portalOf, visitor, type Visitor } from '../support/visitor.ts'
import { withPalette } from './palette.ts'
import { fileOf, forms, pictures, type Form, type Picture } from './pictures.ts'
import { busyShop, newShop, NOW, ownedShop, type Shop } from './shop.ts'

const folder = fileURLToPath(new URL('../../../docs/portal/', import.meta.url))
const only = process.env['ONLY']?.split(',')

test('pictures of every page', { timeout: 900_000 }, async () => {
  mkdirSync(folder, { recursive: true })
  if (only === undefined) for (const file of globSync(`${folder}*.png`)) rmSync(file)
  const empty = await newShop()
  await takeAll(empty, 'new')
  const owned = await ownedShop(empty)
  await takeAll(owned, 'owned')
  await takeAll(await busyShop(owned), 'busy')
  expect(missed).toEqual([])
})

/** Whatever goes wrong with one of them, the others are taken. */
const missed: string[] = []

async function takeAll(shop: Shop, stage: Picture['stage']): Promise<void> {
  const wanted = pictures.filter((picture) => picture.stage === stage && (only?.includes(picture.name) ?? true))
  for (const form of Object.keys(forms) as Form[]) {
    for (const picture of wanted) {
      await take(shop, picture, form).catch((error: unknown) =>
        missed.push(`${fileOf(picture, form)}: ${String(error)}`),
      )
    }
  }
}

async function take(shop: Shop, picture: Picture, form: Form): Promise<void> {
  const there = await come(shop, picture, form)
  await there.open(picture.open(shop.addresses))
  await there.text(picture.shows).first().waitFor()
  await picture.act?.(there)
  await there.page.waitForLoadState('networkidle')
  await seeAll(there)
  const png = await there.page.screenshot({ animations: 'disabled', caret: 'hide' })
  writeFileSync(`${folder}${fileOf(picture, form)}`, withPalette(png))
  await there.page.context().close()
}

/** Makes the window as high as the page: what lies below it, a browser does not draw. */
async function seeAll(there: Visitor): Promise<void> {
  const { page } = there
  const { width = 0, height: least = 0 } = page.viewportSize() ?? {}
  const height = await page.evaluate(() => {
    // Nothing has a ring around it.
    ;(document.activeElement as HTMLElement | null)?.blur()
    return document.documentElement.scrollHeight
  })
  await page.setViewportSize({ width, height: Math.max(least, height) })
  await there.nextFrames()
  await page.waitForLoadState('networkidle')
}

async function come({ here, owner }: Shop, { isSignedIn, stage }: Picture, form: Form): Promise<Visitor> {
  const came = await visitor({ url: portalOf(here), ...forms[form] })
  const context = came.page.context()
  await context.clock.setFixedTime(stage === 'busy' ? NOW : '2026-11-12T08:02:00Z')
  // A stream that stays open would keep the page from ever being complete.
  const hello = `event: hello\ndata: ${JSON.stringify({ version, at: NOW })}\n\n`
  await context.route('**/api/v1/live?*', (route) => route.fulfill({ contentType: 'text/event-stream', body: hello }))
  // The project that they looked at last.
  await context.addInitScript((id) => {
    if (location.protocol !== 'about:' && location.pathname !== '/mail-frame')
      localStorage.setItem('posthouse-project', id)
  }, here.projectId)
  if (isSignedIn && owner !== undefined) await giveCookie(here, came, owner)
  return came
}
