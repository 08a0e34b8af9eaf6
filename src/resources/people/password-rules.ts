import { invalid } from '../../core/errors.ts'
import { commonWords } from './guessed-passwords.ts'

const MIN_CHARACTERS = 12
const MAX_BYTES = 256
/** Shorter parts of a name stand in many good passwords. */
const MIN_TELLING_LENGTH = 4
/** A password has at least so many characters that do not follow from the one before. */
const MIN_STEPS = 4

const PRODUCT = 'posthouse'
const keyboardRows = ['1234567890', 'qwertyuiop', 'qwertzuiop', 'azertyuiop', 'asdfghjkl', 'yxcvbnm', 'zxcvbnm']

export interface Owner {
  name: string
  email: string
}

/** Refuses what is guessed first. Nothing else is asked of a password: no digits, no capitals, no yearly change. */
export function requireGoodPassword(password: string, owner: Owner): void {
  const problem = problemOf(password, owner)
  if (problem !== undefined) throw invalid([{ path: '/password', message: problem }])
}

function problemOf(password: string, owner: Owner): string | undefined {
  if (Buffer.byteLength(password) > MAX_BYTES) return `must not be longer than ${MAX_BYTES} bytes`
  if ([...password].length < MIN_CHARACTERS) {
    return `must have ${MIN_CHARACTERS} characters or more: several words are easy to remember`
  }
  const folded = password.normalize('NFKC').toLowerCase()
  if (folded.includes(PRODUCT)) return 'must not contain the name of this product'
  if (partsOf(owner).some((part) => folded.includes(part))) return 'must not contain your name or your address'
  if (/^(.{1,11})\1+$/su.test(folded) || countSteps(folded) < MIN_STEPS) {
    return 'must not be a repetition, or a row of letters, digits or keys'
  }
  if (isCommon(folded)) return 'is one of those that are tried first: choose another'
  return undefined
}

function partsOf({ name, email }: Owner): string[] {
  const local = email.slice(0, email.lastIndexOf('@'))
  return [email, local, name, ...name.split(/[\s\p{P}]+/u)]
    .map((part) => part.normalize('NFKC').toLowerCase())
    .filter((part) => part.length >= MIN_TELLING_LENGTH)
}

/** Counts the characters that are neither equal to, nor the neighbour of, the one before. */
function countSteps(folded: string): number {
  const characters = [...folded]
  return characters.filter((character, i) => i > 0 && !follows(characters[i - 1] ?? '', character)).length
}

function follows(before: string, character: string): boolean {
  if (Math.abs((before.codePointAt(0) ?? 0) - (character.codePointAt(0) ?? 0)) <= 1) return true
  return keyboardRows.some((row) => row.includes(before + character) || row.includes(character + before))
}

const disguises: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** Tells whether it is one common word, or two, with whatever digits and marks around them, and letters disguised. */
function isCommon(folded: string): boolean {
  const plain = folded.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  return [plain, undisguised(plain), undisguised(folded)].some((text) =>
    isMadeOfWords(text.replaceAll(/[^\p{L}]/gu, '')),
  )
}

const undisguised = (text: string): string => text.replaceAll(/[01345 7@$!]/g, (mark) => disguises[mark] ?? mark)

function isMadeOfWords(letters: string): boolean {
  const words = commonWords()
  if (words.has(letters)) return true
  return Array.from({ length: letters.length }, (_, i) => i).some(
    (i) => words.has(letters.slice(0, i)) && words.has(letters.slice(i)),
  )
}
