import { words } from '../../words/words.ts'
import { missingOf, type Domain } from './records.ts'

/** Everything that the person needs who looks after the DNS and cannot see this page. */
export function letterFor(domain: Domain): string {
  const { letter, record: said } = words.domains
  const records = missingOf(domain).map(({ purpose, type, name, host, priority, value, status }, place) =>
    [
      letter.record(place + 1, said.purposes[purpose]),
      letter.type(type),
      letter.name(name, host),
      ...(priority === null ? [] : [letter.priority(priority)]),
      letter.value(value),
      ...(status === 'mismatch' ? [letter.instead] : []),
      '',
    ].join('\n'),
  )
  return [letter.begin(domain.name), ...records, letter.end].join('\n')
}
