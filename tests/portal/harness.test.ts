/** What the other tests rely on: that the harness sees what it should see. */
import { expect, test } from 'vitest'
import { world } from '../support/world.ts'
import { axeFindings } from './support/axe.ts'
import { portalOf, takeBreaches, visitor } from './support/visitor.ts'

test('a breach of the policy, an error that nobody caught and a request that leaves are noticed', async () => {
  const { api } = await world()
  const { page } = await visitor({ url: portalOf({ api }) })
  await page.goto('/setup')
  expect(takeBreaches()).toEqual([])
  await page.evaluate(() => {
    const style = document.createElement('style')
    style.textContent = 'p { color: red }'
    document.head.append(style)
    fetch('https://elsewhere.example/').catch(() => {})
    try {
      document.body.insertAdjacentHTML('beforeend', '<p></p>')
    } catch {}
    setTimeout(() => Promise.reject(new Error('on purpose')))
  })
  // By its number this is another origin.
  await page.goto(`${api.url}/docs`)
  const seen: string[] = []
  const expected = [
    '/setup breached style-src-elem: inline',
    '/setup breached connect-src: https://elsewhere.example/',
    '/setup breached require-trusted-types-for: trusted-types-sink',
    'not caught: Error: on purpose',
    `a request left for ${api.url}`,
  ]
  await expect
    .poll(() => {
      seen.push(...takeBreaches())
      return expected.filter((breach) => !seen.some((each) => each.startsWith(breach)))
    })
    .toEqual([])
})

test('clicks and keys are counted where they arrive, and writing into a field is apart', async () => {
  const here = await visitor({ url: portalOf(await world()) })
  await here.open('/setup')
  await here.page.evaluate(() => {
    const [label, field, button] = ['label', 'input', 'button'].map((name) => document.createElement(name))
    label?.append('Name', field!)
    button?.append('Go')
    document.body.replaceChildren(label!, button!)
  })
  await here.text('Name').click()
  await here.page.keyboard.type('Ann')
  await here.press('Tab', 'Enter', 'Control+k')
  await here.button('Go').click()
  await expect.poll(() => here.input).toEqual({ clicks: 2, keys: 3, typed: 3 })
  here.forget()
  await here.field('Name').focus()
  await here.tabTo(here.button('Go'))
  await expect.poll(() => here.input).toEqual({ clicks: 0, keys: 1, typed: 0 })
})

test('axe sees what is wrong with a page, under the policy of the portal', async () => {
  const here = await visitor({ url: portalOf(await world()) })
  await here.open('/setup')
  await here.page.evaluate(() => document.body.append(document.createElement('img'), document.createElement('input')))
  const found = (await axeFindings(here)).join('\n')
  expect(found).toContain('image-alt')
  expect(found).toContain('label')
})

test('a page that is wider than its window is noticed', async () => {
  const here = await visitor({ url: portalOf(await world()), screen: 'narrow' })
  await here.open('/setup')
  expect(await here.sideways()).toEqual([])
  await here.page.evaluate(() => document.body.append(Object.assign(document.createElement('canvas'), { width: 900 })))
  expect(await here.sideways()).not.toEqual([])
})
