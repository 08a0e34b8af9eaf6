import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { prepare, type Prepared } from './prepared.ts'

export interface BuiltFile {
  type: string
  prepared: Prepared
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

interface Snapshot {
  pages: ReadonlyMap<string, string>
  assets: ReadonlyMap<string, Buffer>
}

/**
 * The files of the built portal, read when the first page is asked for and then kept in memory: pages and the files that
 * they name stay those of one build, whatever happens on the disk. Each file is compressed once, when it is first asked for.
 */
export class BuiltFiles {
  readonly #folder: URL
  #snapshot: Promise<Snapshot | undefined> | undefined
  readonly #prepared = new Map<string, Promise<Prepared>>()

  constructor(folder: URL) {
    this.#folder = folder
  }

  /** Undefined while there is no built portal. */
  async page(name: string): Promise<string | undefined> {
    return (await this.#files())?.pages.get(name)
  }

  async asset(name: string): Promise<BuiltFile | undefined> {
    const bytes = (await this.#files())?.assets.get(name)
    const type = types[extname(name)]
    if (bytes === undefined || type === undefined) return undefined
    const prepared = this.#prepared.get(name) ?? prepare(bytes)
    this.#prepared.set(name, prepared)
    return { type, prepared: await prepared }
  }

  /** Requests that come meanwhile wait for the same reading. While nothing is there, the next request looks again. */
  async #files(): Promise<Snapshot | undefined> {
    const reading = (this.#snapshot ??= this.#read())
    const snapshot = await reading
    if (snapshot === undefined && this.#snapshot === reading) this.#snapshot = undefined
    return snapshot
  }

  async #read(): Promise<Snapshot | undefined> {
    const assets = new URL('assets/', this.#folder)
    const names = await readdir(assets).catch(() => undefined)
    if (names === undefined) return undefined
    const pages = ['index.html', 'door.html'].map(
      async (name) => [name, await readFile(new URL(name, this.#folder), 'utf8')] as const,
    )
    const contents = names.map(async (name) => [name, await readFile(new URL(name, assets))] as const)
    try {
      return { pages: new Map(await Promise.all(pages)), assets: new Map(await Promise.all(contents)) }
    } catch {
      return undefined
    }
  }
}
