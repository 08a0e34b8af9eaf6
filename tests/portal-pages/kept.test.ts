import { beforeEach, expect, test, vi } from 'vitest'
import { forgetAllKept, keep, keepFor, readKept } from '../../portal/src/kit/kept.ts'

beforeEach(() => {
  vi.stubGlobal('sessionStorage', newStorage())
  return () => vi.unstubAllGlobals()
})

test.each(['send prj_1', 'by'])(
  'what was kept as %s stays for whoever wrote it, and goes before somebody else comes',
  (name) => {
    keepFor('per_ann')
    keep(name, { subject: 'Hello' })
    keepFor('per_ann')
    expect(readKept(name, { subject: '' })).toEqual({ subject: 'Hello' })
    keepFor('per_ben')
    expect(readKept(name, { subject: '' })).toBeUndefined()
  },
)

test('what forms kept is forgotten, with who wrote it, and nothing else of the tab', () => {
  sessionStorage.setItem('unsavedByOthers', '1')
  keepFor('per_ann')
  keep('send', { subject: 'Hello' })
  forgetAllKept()
  expect({ ...sessionStorage }).toEqual({ unsavedByOthers: '1' })
})

/** What a browser gives a tab: what is stored are its own properties. */
const newStorage = (): Storage =>
  Object.create({
    getItem(this: Record<string, string>, name: string) {
      return this[name] ?? null
    },
    setItem(this: Record<string, string>, name: string, value: string) {
      this[name] = value
    },
    removeItem(this: Record<string, string>, name: string) {
      delete this[name]
    },
  })
