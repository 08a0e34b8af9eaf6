/** Mail that somebody else wrote, in the frame that the portal shows it in. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Frame, type Page } from 'playwright-core'
import { expect, inject, onTestFinished, test } from 'vitest'
import { world } from '../support/world.ts'
import { EVIL, hostileMails, says } from './hostile-mails.ts'
import { argumentsHere } from './support/chromium.ts'
import { portalOf, takeBreaches, visitor } from './support/visitor.ts'

interface Shown {
  links: { text: string; href: string; leadsElsewhere: boolean }[]
  remoteImages: { https: number; http: number }
}

interface Showing {
  html: string
  images?: Record<string, string>
  scheme?: 'light' | 'dark'
  allowImages?: boolean
}

/** Shows a mail as the portal does, on a page of the portal. */
const show = (page: Page, mail: Showing): Promise<Shown> =>
  page.evaluate(
    ({ scheme = 'light', allowImages = false, ...mail }) =>
      new Promise<Shown>((resolve) => {
        const frame = document.createElement('iframe')
        frame.title = 'Preview of the email'
        frame.style.cssText = 'position: fixed; inset: 0; width: 100%; height: 100%; border: 0'
        frame.setAttribute('sandbox', 'allow-scripts allow-popups allow-popups-to-escape-sandbox')
        frame.src = allowImages ? '/mail-frame?images=1' : '/mail-frame'
        addEventListener('message', ({ source, data }) => {
          if (source !== frame.contentWindow) return
          if (data.kind === 'ready') frame.contentWindow?.postMessage({ ...mail, scheme, allowImages }, '*')
          else if (data.kind === 'shown') resolve(data)
        })
        document.body.replaceChildren(frame)
      }),
    mail,
  )

/** A name of this machine that everything below the evil one leads to. */
const SINK = 'sink.localhost'

interface Watch {
  page: Page
  /** What no mail may ever bring about. */
  happened: string[]
  /** Closes the browser; the names that it looked up, connected to or asked, of those that are not ours. */
  end(): Promise<string[]>
}

/**
 * A browser of its own that writes down whatever it wants of the network, be it only the address of a name. It keeps a
 * profile on disk: others look nothing up ahead.
 */
async function watchedBrowser(url: string): Promise<Watch> {
  const folder = mkdtempSync(join(tmpdir(), 'browser-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const log = join(folder, 'net.json')
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: inject('chromium'),
    baseURL: url,
    args: [...argumentsHere(), `--log-net-log=${log}`, `--host-resolver-rules=MAP *.${EVIL} ${SINK}`],
  })
  const happened: string[] = []
  const page = await context.newPage()
  await context.exposeBinding('noteMessage', (_, message: unknown) => {
    if (JSON.stringify(message)?.includes(says)) happened.push('a script ran')
  })
  await context.addInitScript(() => {
    const { noteMessage } = window as unknown as { noteMessage(message: unknown): void }
    if (top === window) addEventListener('message', ({ data }) => noteMessage(data))
  })
  // What the policy held was asked for, but never answered; what it does not hold is in the log of the network.
  context.on('response', (response) => {
    const { pathname, origin } = new URL(response.url())
    const isOwn = origin === url && /^\/(setup|mail-frame|assets\/.*|session|favicon\.ico)$/.test(pathname)
    if (!isOwn && !response.url().startsWith('data:')) happened.push(`got ${response.url().slice(0, 200)}`)
  })
  context.on('page', (opened) => void (opened !== page && happened.push('opened a window')))
  page.on('dialog', (dialog) => {
    happened.push('asked the reader')
    void dialog.dismiss()
  })
  page.on('download', () => happened.push('began a download'))
  page.on('framenavigated', (frame) => {
    if (!/^(about:(srcdoc|blank)|http:\/\/localhost:\d+\/(setup|mail-frame(\?images=1)?))$/.test(frame.url()))
      happened.push(`navigated to ${frame.url()}`)
  })
  const end = async (): Promise<string[]> => {
    await context.close()
    return foreignNamesIn(readFileSync(log, 'utf8'))
  }
  return { page, happened, end }
}

/** Only of what happened: the log begins with the command line, which names them too. */
function foreignNamesIn(log: string): string[] {
  const { events } = JSON.parse(log) as { events: unknown[] }
  const names = JSON.stringify(events).match(new RegExp(`[\\w-]+\\.${RegExp.escape(EVIL)}|${RegExp.escape(SINK)}`, 'g'))
  return [...new Set(names)].toSorted()
}

/** Lets everything come that would come by itself: the mail has been painted, the pointer moved over it. */
async function settle(page: Page): Promise<void> {
  await page.mouse.move(40, 15)
  await page.mouse.move(200, 200)
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 30))))
}

test('a hundred hostile mails run nothing, fetch nothing and lead nowhere', { timeout: 600_000 }, async () => {
  expect(hostileMails.length).toBeGreaterThanOrEqual(100)
  const url = portalOf(await world())
  const { page, happened, end } = await watchedBrowser(url)
  const found: string[] = []
  for (const { name, html } of hostileMails) {
    await page.goto('/setup')
    await show(page, { html, scheme: 'dark' })
    await settle(page)
    expect(new URL(page.url()).pathname, name).toBe('/setup')
    found.push(...happened.splice(0).map((what) => `${name}: ${what}`))
  }
  expect(found).toEqual([])
  expect(await end()).toEqual([])
})

/** Serves a mail as a page of its own, which nobody should do. */
async function serve(html: string): Promise<string> {
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('the same mails, shown as pages of their own, are noticed: the test can see', { timeout: 600_000 }, async () => {
  const { page, end } = await watchedBrowser(portalOf(await world()))
  for (const name of [
    'a script',
    'an image',
    'a refresh',
    'a frame',
    'an image that fails',
    'a background of styles',
  ]) {
    const asked = page.waitForEvent('request', (request) => request.url().includes(EVIL))
    await page.goto(await serve(hostileMails.find((mail) => mail.name === name)!.html)).catch(() => {})
    await asked
  }
  const names = ['iframe', 'img', 'refresh', 'script', 'style'].map((name) => `${name}.${EVIL}`)
  expect(await end()).toEqual(expect.arrayContaining(names))
  for (const html of [`<link rel="dns-prefetch" href="//dns.${EVIL}">`, `<link rel="preconnect" href="//c.${EVIL}">`]) {
    const { page, end } = await watchedBrowser(portalOf(await world()))
    await page.goto(await serve(html))
    await settle(page)
    expect(await end(), html).toContain(SINK)
  }
})

const mail = (body: string, head = ''): string => `<!doctype html><html><head>${head}</head><body>${body}</body></html>`

/** The document of a shown mail, in which nothing of its own runs. */
async function contentOf(page: Page): Promise<Frame> {
  const content = page.frames().find((frame) => frame.url() === 'about:srcdoc')
  if (content === undefined) throw new Error('no mail is shown')
  return content
}

test('a link opens a page of its own that knows nothing of this one; what leads nowhere outside is no link', async () => {
  const url = portalOf(await world())
  const { page } = await visitor({ url })
  await page.goto('/setup')
  const target = await serve('<title>Elsewhere</title>')
  const { links } = await show(page, {
    html: mail(
      `<a href="${target}" target="_top" rel="opener">A page</a> <a href="/settings">Inside</a> <a href="javascript:x()">Run</a>`,
    ),
  })
  expect(links).toEqual([{ text: 'A page', href: target, leadsElsewhere: false }])
  const content = await contentOf(page)
  expect(await content.locator('a[href]').count()).toBe(1)
  const [opened] = await Promise.all([page.context().waitForEvent('page'), content.getByText('A page').click()])
  await opened.waitForLoadState()
  expect(await opened.title()).toBe('Elsewhere')
  expect(await opened.evaluate(() => [window.opener, document.referrer, self.origin !== 'null'])).toEqual([
    null,
    '',
    true,
  ])
  expect(new URL(page.url()).pathname).toBe('/setup')
  expect(takeBreaches()).toEqual([`a request left for ${new URL(target).origin}`])
})

test('a link whose text names another host shows where it leads before it can be followed', async () => {
  const { page } = await visitor({ url: portalOf(await world()) })
  await page.goto('/setup')
  const { links } = await show(page, {
    html: mail(
      ['https://bank.example/login', 'www.bank.example', 'bank.example', 'Your bank', 'mail.bank.example']
        .map((text) => `<p><a href="https://www.bank.example.thief.example/">${text}</a></p>`)
        .concat(
          '<p><a href="https://www.bank.example/x">bank.example</a> <a href="https://a.bank.example/">bank.example</a>',
        )
        .join(''),
    ),
  })
  expect(links.map(({ leadsElsewhere }) => leadsElsewhere)).toEqual([true, true, true, false, true, false, false])
  const content = await contentOf(page)
  const first = content.locator('details').first()
  await expect.poll(() => first.locator('a').isVisible()).toBe(false)
  await first.locator('summary').click()
  expect(await first.locator('a').innerText()).toBe('https://www.bank.example.thief.example/')
  expect(page.context().pages()).toHaveLength(1)
})

test('pictures of others come when somebody asks for them, encrypted ones only', async () => {
  const { page } = await visitor({ url: portalOf(await world()) })
  await page.goto('/setup')
  const asked: string[] = []
  await page.route(`**/*.${EVIL}/**`, (route) => {
    asked.push(route.request().url())
    return route.fulfill({ contentType: 'image/gif', body: '' })
  })
  const html = mail(
    `<img src="https://a.${EVIL}/1"><img src="http://b.${EVIL}/2"><p style="background:url(https://c.${EVIL}/3)">x</p>`,
    `<style>@font-face{font-family:f;src:url(https://d.${EVIL}/4)}p{font-family:f}</style>`,
  )
  expect((await show(page, { html })).remoteImages).toEqual({ https: 2, http: 1 })
  await settle(page)
  expect(asked).toEqual([])
  await show(page, { html, allowImages: true })
  await expect.poll(() => asked.toSorted()).toEqual([`https://a.${EVIL}/1`, `https://c.${EVIL}/3`])
  expect(new Set(takeBreaches())).toEqual(
    new Set(['a', 'b', 'c', 'd'].map((name) => `a request left for http${name === 'b' ? '' : 's'}://${name}.${EVIL}`)),
  )
})

/** A picture of one red point. */
const point = 'data:image/gif;base64,R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=='

test('pictures that came with the mail are put in by their content id', async () => {
  const { page } = await visitor({ url: portalOf(await world()) })
  await page.goto('/setup')
  const html = mail(
    '<img id="a" src="cid:logo%401"><img id="b" src="CID:missing"><p style="background:url(cid:logo@1)">x</p>',
  )
  const { remoteImages } = await show(page, { html, images: { 'logo@1': point } })
  expect(remoteImages).toEqual({ https: 0, http: 0 })
  const content = await contentOf(page)
  expect(await content.locator('#a').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
  expect(await content.locator('p').getAttribute('style')).toContain(point)
})

test.each([
  ['light', 'rgb(255, 255, 255)', 'none'],
  ['dark', 'rgb(17, 17, 17)', 'inline'],
] as const)(
  'the %s scheme is what the own rules of the mail say, whatever the system has',
  async (scheme, colour, shown) => {
    for (const system of ['light', 'dark'] as const) {
      const { page } = await visitor({ url: portalOf(await world()), scheme: system })
      await page.goto('/setup')
      const html = mail(
        '<p>Hello <span>dark</span></p><i style="color-scheme: light dark; color: light-dark(#010101, #020202)">x</i>',
        `<meta name="color-scheme" content="light dark">
       <style>body { background: #fff } span { display: none } @media ( prefers-color-scheme:DARK ) { body { background: #111 } }</style>
       <style media="screen and (prefers-color-scheme: dark)">span { display: inline }</style>`,
      )
      await show(page, { html, scheme })
      const content = await contentOf(page)
      const styles = await content.evaluate(() => [
        getComputedStyle(document.body).backgroundColor,
        getComputedStyle(document.querySelector('span')!).display,
        getComputedStyle(document.querySelector('i')!).color,
      ])
      expect(styles).toEqual([colour, shown, scheme === 'dark' ? 'rgb(2, 2, 2)' : 'rgb(1, 1, 1)'])
    }
  },
)

test('the frame has no origin, whoever opens it, and listens to nobody but the page around it', async () => {
  const { page } = await visitor({ url: portalOf(await world()) })
  await page.goto('/mail-frame')
  expect(await page.evaluate(() => self.origin)).toBe('null')
  await page.evaluate(() => window.postMessage({ html: '<p>Hello</p>' }, '*'))
  await page.goto('/setup')
  await show(page, { html: mail('<p>The mail</p>') })
  await page.evaluate(() => document.body.append(document.createElement('iframe')))
  await page
    .frames()
    .find((frame) => frame.url() === 'about:blank')
    ?.evaluate(() => parent.frames[0]?.postMessage({ html: '<p>Another</p>' }, '*'))
  await settle(page)
  expect(await (await contentOf(page)).locator('p').innerText()).toBe('The mail')
})
