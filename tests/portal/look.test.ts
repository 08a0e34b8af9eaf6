import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fileOf, forms, pictures, type Form } from './look/pictures.ts'
import { applicationPages, doorPages } from './support/pages.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')

const files = readdirSync(new URL('docs/portal/', root)).filter((file) => file.endsWith('.png'))
const wanted = pictures.flatMap((picture) => (Object.keys(forms) as Form[]).map((form) => fileOf(picture, form)))

test('every page of the portal has its pictures, and every picture its page', async () => {
  const pages = [...(await applicationPages()).map(({ path }) => path), ...(await doorPages())]
  expect([...new Set(pictures.map(({ path }) => path))].toSorted()).toEqual(pages.toSorted())
  expect(files.toSorted(), 'run npm run screenshots').toEqual(wanted.toSorted())
})

test('every picture is one, and all together are small', () => {
  const sizes = files.map((file) => {
    const png = readFileSync(new URL(`docs/portal/${file}`, root))
    expect(png.toString('latin1', 1, 4), file).toBe('PNG')
    expect(png.readUInt32BE(16), file).toBe(file.endsWith('-narrow.png') ? 320 : 1280)
    return png.length
  })
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(5_000_000)
})

test('the pictures that the documentation shows are there, and say in words what is on them', () => {
  const shown = ['README.md', 'docs/portal/README.md'].flatMap((page) =>
    [...read(page).matchAll(/!\[(?<text>[^\]]*)\]\((?:docs\/portal\/)?(?<file>[^)]+)\)/g)].map(({ groups }) => ({
      text: groups?.['text'] ?? '',
      file: groups?.['file'] ?? '',
    })),
  )
  const names = new Set(shown.map(({ file }) => file))
  expect(pictures.map((picture) => fileOf(picture, 'light')).filter((file) => !names.has(file))).toEqual([])
  expect(shown.filter(({ text, file }) => text.length < MIN_WORDS_LENGTH || !files.includes(file))).toEqual([])
})

const MIN_WORDS_LENGTH = 20
