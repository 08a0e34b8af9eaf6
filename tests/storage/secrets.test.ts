import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { loadMasterKeys, SecretError, Secrets, type SecretPlace } from '../../src/storage/secrets.ts'

const key = randomBytes(32)
const secrets = new Secrets([key])
const place: SecretPlace = { purpose: 'webhook-secret', id: '0198c0de-0000-7000-8000-000000000001' }
const plaintext = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'

const anyPlaintext = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array))
const anyPlace = fc.record({ purpose: fc.string(), id: fc.oneof(fc.uuid(), fc.string()) })
const anyKey = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((array) => Buffer.from(array))

function faultOf(opening: () => Buffer): SecretError {
  try {
    opening()
  } catch (error) {
    if (error instanceof SecretError) return error
    throw error
  }
  return expect.unreachable('it opened')
}

describe('a sealed secret', () => {
  test('opens in its place, whatever it is', () => {
    fc.assert(
      fc.property(anyPlace, anyPlaintext, (place, plaintext) => {
        expect(secrets.open(place, secrets.seal(place, plaintext))).toEqual(plaintext)
      }),
    )
    expect(secrets.open(place, secrets.seal(place, 'Schlüssel')).toString()).toBe('Schlüssel')
  })

  test('does not open with any one bit flipped', () => {
    fc.assert(
      fc.property(anyPlaintext, (plaintext) => {
        const sealed = secrets.seal(place, plaintext)
        for (let bit = 0; bit < sealed.length * 8; bit++) {
          const flipped = Buffer.from(sealed)
          flipped[bit >> 3]! ^= 1 << (bit & 7)
          faultOf(() => secrets.open(place, flipped))
        }
      }),
      { numRuns: 10 },
    )
  })

  test('does not open when bytes are missing or added', () => {
    const sealed = secrets.seal(place, plaintext)
    for (let size = 0; size < sealed.length; size++) faultOf(() => secrets.open(place, sealed.subarray(0, size)))
    expect(faultOf(() => secrets.open(place, Buffer.concat([sealed, Buffer.of(0)]))).fault).toBe('altered')
  })

  test('does not open in another row or column', () => {
    fc.assert(
      fc.property(anyPlace, anyPlace, (place, other) => {
        fc.pre(place.purpose !== other.purpose || place.id !== other.id)
        expect(faultOf(() => secrets.open(other, secrets.seal(place, plaintext))).fault).toBe('altered')
      }),
    )
    const otherRow = { ...place, id: place.id.replace(/1$/, '2') }
    const otherColumn = { ...place, purpose: 'dkim-key' }
    const sameLetters = { purpose: 'webhook-', id: `secret${place.id}` }
    for (const other of [otherRow, otherColumn, sameLetters]) {
      expect(faultOf(() => secrets.open(other, secrets.seal(place, plaintext))).fault).toBe('altered')
    }
  })

  test('does not open with another master key, and says so', () => {
    fc.assert(
      fc.property(anyKey, (otherKey) => {
        fc.pre(!otherKey.equals(key))
        const { fault } = faultOf(() => new Secrets([otherKey]).open(place, secrets.seal(place, plaintext)))
        expect(fault).toBe('another-master-key')
      }),
    )
  })

  test('that does not open gives an error with neither key nor secret in it', () => {
    const other = new Secrets([randomBytes(32)])
    const sealed = secrets.seal(place, plaintext)
    const altered = Buffer.from(sealed)
    altered[altered.length - 1]! ^= 1
    const errors = [
      faultOf(() => other.open(place, sealed)),
      faultOf(() => secrets.open(place, altered)),
      faultOf(() => secrets.open(place, sealed.subarray(0, 20))),
    ]
    expect(errors.map(({ fault }) => fault)).toEqual(['another-master-key', 'altered', 'malformed'])
    for (const error of errors) {
      const told = inspect(error, { depth: null, showHidden: true })
      expect(told).toContain(`The webhook-secret of ${place.id}`)
      for (const secret of [plaintext, key.toString('hex'), key.toString('base64')]) expect(told).not.toContain(secret)
    }
    expect(errors[0]!.message).toContain('Append that key to MASTER_KEY')
  })

  test('never looks the same twice and never holds the plaintext', () => {
    const sealed = Array.from({ length: 100 }, () => secrets.seal(place, plaintext))
    expect(new Set(sealed.map((bytes) => bytes.toString('hex'))).size).toBe(100)
    // Past the header of version and key id, that is from the nonce on.
    expect(new Set(sealed.map((bytes) => bytes.subarray(9, 21).toString('hex'))).size).toBe(100)
    expect(sealed.some((bytes) => bytes.includes(plaintext))).toBe(false)
  })
})

describe('master keys', () => {
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]

  test('after a rotation the first seals and any opens', () => {
    const before = new Secrets([oldKey])
    const during = new Secrets([newKey, oldKey])
    const after = new Secrets([newKey])
    const old = before.seal(place, plaintext)
    expect(during.open(place, old).toString()).toBe(plaintext)
    const renewed = during.seal(place, plaintext)
    expect(after.open(place, renewed).toString()).toBe(plaintext)
    expect(faultOf(() => after.open(place, old)).fault).toBe('another-master-key')
    expect(faultOf(() => before.open(place, renewed)).fault).toBe('another-master-key')
  })

  test('give each purpose a key of its own, the same every time', () => {
    const keys = ['unsubscribe', 'open', 'click'].map((purpose) => secrets.derive(purpose).toString('hex'))
    expect(new Set(keys).size).toBe(3)
    expect(keys[0]).toHaveLength(64)
    expect(new Secrets([key]).derive('unsubscribe').toString('hex')).toBe(keys[0])
    expect(new Secrets([oldKey]).derive('unsubscribe').toString('hex')).not.toBe(keys[0])
    expect(key.toString('hex')).not.toBe(keys[0])
  })

  test('check what was signed before a rotation', () => {
    const signer = new Secrets([oldKey]).derive('unsubscribe')
    const during = new Secrets([newKey, oldKey])
    expect(during.deriveAll('unsubscribe')).toEqual([during.derive('unsubscribe'), signer])
    expect(during.derive('unsubscribe')).not.toEqual(signer)
  })

  test('do not show when the object that holds them is logged', () => {
    const shown = inspect(secrets, { depth: null, showHidden: true }) + JSON.stringify(secrets)
    expect(shown).not.toMatch(/[0-9a-f]{2} [0-9a-f]{2}|"data"/)
  })

  test.each([[[]], [[Buffer.alloc(31)]], [[key, Buffer.alloc(33)]]])('must be there and have 32 bytes', (keys) => {
    expect(() => new Secrets(keys)).toThrow('master key')
  })
})

describe('the master key of an installation', () => {
  const root = mkdtempSync(join(tmpdir(), 'posthouse-secrets-'))
  afterAll(() => rmSync(root, { recursive: true }))
  const directory = (): string => mkdtempSync(join(root, 'data-'))
  const [first, second] = [randomBytes(32), randomBytes(32)]

  test.each([
    ['hex', first.toString('hex')],
    ['upper-case hex', first.toString('hex').toUpperCase()],
    ['base64', first.toString('base64')],
    ['base64 without padding', first.toString('base64url')],
    ['white space around it', `  ${first.toString('base64')}\n`],
  ])('is the one given in %s', (_, given) => {
    const dataDir = directory()
    expect(loadMasterKeys({ dataDir, given })).toEqual([first])
    expect(readdirSync(dataDir)).toEqual([])
  })

  test('may be several, in their order', () => {
    const given = `${second.toString('hex')}, ${first.toString('base64')}`
    expect(loadMasterKeys({ dataDir: directory(), given })).toEqual([second, first])
  })

  test.each([
    ['nothing', ''],
    ['too short', first.toString('hex').slice(2)],
    ['too long', `${first.toString('base64')}AAAA`],
    ['a pass phrase', 'correct horse battery staple and then some more'],
    ['a comma too many', `${first.toString('hex')},`],
  ])('is refused without being quoted when it is %s', (_, given) => {
    const load = (): Buffer[] => loadMasterKeys({ dataDir: directory(), given })
    expect(load).toThrow(/Key \d in MASTER_KEY is not 32 bytes in base64 or hex/)
    for (const word of given.split(',').filter(Boolean)) expect(load).not.toThrow(word)
  })

  test('is made on the first start, for its owner only, and found again', () => {
    const dataDir = join(directory(), 'not', 'yet', 'there')
    const made = loadMasterKeys({ dataDir, given: undefined })
    expect(made[0]).toHaveLength(32)
    expect(statSync(join(dataDir, 'master.key')).mode & 0o777).toBe(0o600)
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(readdirSync(dataDir)).toEqual(['master.key'])
    expect(loadMasterKeys({ dataDir, given: undefined })).toEqual(made)
    expect(loadMasterKeys({ dataDir: directory(), given: undefined })).not.toEqual(made)
  })

  test.each(['640', '604', '620', '666'])('is refused when its file has mode %s', (mode) => {
    const dataDir = directory()
    const file = join(dataDir, 'master.key')
    loadMasterKeys({ dataDir, given: undefined })
    chmodSync(file, mode)
    expect(() => loadMasterKeys({ dataDir, given: undefined })).toThrow(`chmod 600 ${file}`)
  })

  test('can be rotated in its file, one on each line', () => {
    const dataDir = directory()
    const lines = `${second.toString('base64')}\n${first.toString('base64')}\n`
    writeFileSync(join(dataDir, 'master.key'), lines, { mode: 0o600 })
    expect(loadMasterKeys({ dataDir, given: undefined })).toEqual([second, first])
  })

  test.each(['', 'half a ke', 'ab'.repeat(31)])('is never replaced when its file says %j', (content) => {
    const dataDir = directory()
    const file = join(dataDir, 'master.key')
    writeFileSync(file, content, { mode: 0o600 })
    expect(() => loadMasterKeys({ dataDir, given: undefined })).toThrow(`Key 1 in ${file} is not 32 bytes`)
    expect(readFileSync(file, 'utf8')).toBe(content)
  })

  test('that cannot be made is said with the way out', () => {
    const dataDir = join(directory(), 'a file')
    writeFileSync(dataDir, '')
    expect(() => loadMasterKeys({ dataDir, given: undefined })).toThrow(/No master key can be made at .* MASTER_KEY/)
  })

  test('is one and the same for processes that start together', async () => {
    const installations = Array.from({ length: 60 }, (_, i) => join(root, `together-${i}`))
    for (const dataDir of installations) mkdirSync(dataDir)
    const results = await startTogether(4, installations)
    for (const result of results) expect(result).toBe(results[0])
    expect(results[0]!.match(/[0-9a-f]{64}/g)).toHaveLength(installations.length)
    expect(installations.map((dataDir) => readdirSync(dataDir))).toEqual(installations.map(() => ['master.key']))
  })
})

/** Real processes, held until all of them are ready, that then race for each of the directories in turn. */
async function startTogether(count: number, dataDirs: readonly string[]): Promise<string[]> {
  const program = `
    import { loadMasterKeys } from ${JSON.stringify(new URL('../../src/storage/secrets.ts', import.meta.url).href)}
    process.stderr.write('ready')
    process.stdin.once('data', (dataDirs) => {
      const keys = JSON.parse(dataDirs).map((dataDir) => loadMasterKeys({ dataDir, given: undefined })[0].toString('hex'))
      process.stdout.write(keys.join(' '))
    })`
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'pipe' }),
  )
  const outputs = children.map((child) => text(child.stdout))
  await Promise.all(children.map((child) => new Promise((resolve) => child.stderr.once('data', resolve))))
  for (const child of children) child.stdin.end(JSON.stringify(dataDirs))
  return Promise.all(outputs)
}
