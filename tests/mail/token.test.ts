import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readToken, signToken, tokenKeys } from '../../src/core/token.ts'
import { seedFor } from '../support/seed.ts'

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const keys = tokenKeys([first])

test('a token gives back what was signed, and fits the local part of an address', () => {
  const anyPayload = fc.uint8Array({ maxLength: 24 }).map((bytes) => Buffer.from(bytes))
  fc.assert(
    fc.property(anyPayload, fc.constantFrom('return-path', 'unsubscribe', ''), (payload, purpose) => {
      const token = signToken(keys, purpose, payload)
      expect(token).toMatch(/^[0-9a-hjkmnp-tv-z]+$/)
      expect(readToken(keys, purpose, token)).toEqual(payload)
    }),
    { numRuns: 500, seed: seedFor('tokens') },
  )
  expect(`b+${signToken(keys, 'return-path', randomBytes(17))}`).toHaveLength(57)
  expect(signToken(keys, 'a', Buffer.from('b'))).toBe(signToken(keys, 'a', Buffer.from('b')))
})

test('none of 10,000 altered tokens is believed', () => {
  const mutation = fc.record({
    payload: fc.uint8Array({ minLength: 16, maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
    at: fc.nat(200),
    kind: fc.constantFrom('replace', 'insert', 'remove', 'swap', 'upper', 'cut', 'append'),
    character: fc.oneof(
      fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz'),
      fc.string({ minLength: 1, maxLength: 1 }),
    ),
  })
  fc.assert(
    fc.property(mutation, ({ payload, at, kind, character }) => {
      const token = signToken(keys, 'return-path', payload)
      const altered = alter(token, at % token.length, kind, character)
      return altered === token || readToken(keys, 'return-path', altered) === undefined
    }),
    { numRuns: 10_000, seed: seedFor('altered tokens') },
  )
})

test('a token is for one purpose and from one signer', () => {
  const token = signToken(keys, 'unsubscribe', Buffer.from('id'))
  expect(readToken(keys, 'unsubscrib', token)).toBeUndefined()
  expect(readToken(keys, 'return-path', token)).toBeUndefined()
  expect(readToken(tokenKeys([second]), 'unsubscribe', token)).toBeUndefined()
})

test('tokens stay good when a new key comes before the old one', () => {
  const token = signToken(keys, 'unsubscribe', Buffer.from('id'))
  expect(readToken(tokenKeys([second, first]), 'unsubscribe', token)).toEqual(Buffer.from('id'))
})

test.each(['', '0', 'x'.repeat(26), 'il', '!', 'é', '0'.repeat(10_000)])('%j is no token', (text) => {
  expect(readToken(keys, 'unsubscribe', text)).toBeUndefined()
})

function alter(token: string, at: number, kind: string, character: string): string {
  const [before, here, after] = [token.slice(0, at), token[at] ?? '', token.slice(at + 1)]
  switch (kind) {
    case 'replace':
      return before + character + after
    case 'insert':
      return before + character + here + after
    case 'remove':
      return before + after
    case 'swap':
      return before + (after[0] ?? '') + here + after.slice(1)
    case 'upper':
      return before + here.toUpperCase() + after
    case 'cut':
      return before
    default:
      return token + character
  }
}
