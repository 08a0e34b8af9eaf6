import { DomainError, invalid, type Problem } from '../../core/errors.ts'
import { addressKey, parseAddress } from '../../mail/address.ts'
import type { TagContacts } from './schema.ts'

/** A person that a call is about, with the address as `addressKey` writes it or the reason why it is none. */
export type Person = { written: string; email: string } | { written: string; refusal: DomainError }

/** The address in the query or the body, or the many in the body. One alone that is no address refuses the call. */
export function peopleIn({ email, emails }: TagContacts, inQuery: string | undefined): Person[] {
  if (emails !== undefined) {
    if (email !== undefined || inQuery !== undefined) {
      throw invalid([{ path: '/emails', message: 'cannot stand beside a single address: give email or emails' }])
    }
    return emails.map((written) => readPerson(written, '/email'))
  }
  const people = [
    ...(email === undefined ? [] : [readPerson(email, '/email')]),
    ...(inQuery === undefined ? [] : [readPerson(inQuery, '/query/email')]),
  ]
  for (const person of people) if ('refusal' in person) throw person.refusal
  const [first, second] = people
  if (first === undefined) throw invalid([{ path: '/email', message: 'is required' }])
  if (second !== undefined && keyOf(second) !== keyOf(first)) {
    throw invalid([{ path: '/email', message: 'is another address than the one in the query' }])
  }
  return [first]
}

const keyOf = (person: Person): string => ('email' in person ? person.email : person.written)

function readPerson(written: string, path: string): Person {
  const refusal = (message: string): Person => {
    const problem: Problem = { path, message }
    return { written, refusal: invalid([problem]) }
  }
  const parsed = parseAddress(written)
  if (!parsed.ok) return refusal(parsed.problem)
  if (parsed.value.name !== '') return refusal('must be an address without a name')
  return { written, email: addressKey(parsed.value) }
}
