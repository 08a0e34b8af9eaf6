/** Where a secret is found after a person was in the portal: in the page, in what the browser keeps, in what was sent. */
import type { CDPSession } from 'playwright-core'
import type { Visitor } from './visitor.ts'

interface Sent {
  url: string
  body: string
}

/** What the browser of a visitor has kept and sent since they came. */
export class Traces {
  readonly #visitor: Visitor
  readonly #sent: Sent[] = []
  readonly #written: string[] = []
  #debugger: CDPSession | undefined

  constructor(visitor: Visitor) {
    this.#visitor = visitor
    visitor.page.on('request', (request) => {
      this.#sent.push({ url: request.url(), body: request.postData() ?? '' })
    })
    visitor.page.on('console', (message) => this.#written.push(message.text()))
  }

  /** The names of the places in which a secret is now; `body` once for each request that carried it. */
  async of(secret: string): Promise<string[]> {
    const has = (text: string): boolean => formsOf(secret).some((form) => text.includes(form))
    const kept = await this.#visitor.page.evaluate(whatIsKept)
    const texts = {
      ...kept,
      history: (await this.#history()).join('\n'),
      console: this.#written.join('\n'),
      url: this.#sent.map(({ url }) => url).join('\n'),
    }
    const places = Object.entries(texts).flatMap(([place, text]) => (has(text) ? [place] : []))
    return [...places, ...this.#sent.filter(({ body }) => has(body)).map(() => 'body')]
  }

  async #history(): Promise<string[]> {
    const { page } = this.#visitor
    this.#debugger ??= await page.context().newCDPSession(page)
    const { entries } = await this.#debugger.send('Page.getNavigationHistory')
    return entries.map(({ url, title }) => `${url} ${title}`)
  }
}

/** As it is, and as it would stand in an address, in JSON or in a header. */
export const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64url').slice(0, -2),
]

/** Runs in the page. What stands in a field is part of the page. */
async function whatIsKept(): Promise<Record<'page' | 'storage' | 'database' | 'cache' | 'address', string>> {
  const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')].map(({ value }) => value)
  const databases = await Promise.all(
    (await indexedDB.databases()).map(async ({ name = '' }) => {
      const opened = await answerOf(indexedDB.open(name))
      const stores = [...opened.objectStoreNames]
      const rows = stores.map((store) => answerOf(opened.transaction(store).objectStore(store).getAll()))
      const found = JSON.stringify(await Promise.all(rows))
      opened.close()
      return name + found
    }),
  )
  const cached = await Promise.all(
    (await caches.keys()).map(async (name) => {
      const cache = await caches.open(name)
      const requests = await cache.keys()
      const bodies = await Promise.all(requests.map(async (request) => (await cache.match(request))?.text()))
      return [name, ...requests.map(({ url }) => url), ...bodies].join('\n')
    }),
  )
  function answerOf<T>(request: IDBRequest<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(new Error(request.error?.message)))
    })
  }
  return {
    page: [document.documentElement.outerHTML, ...fields].join('\n'),
    storage: JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, window.name]),
    database: databases.join('\n'),
    cache: cached.join('\n'),
    address: `${location.href} ${document.referrer} ${JSON.stringify(history.state)}`,
  }
}
