/**
 * Figures that mean something on any machine: each is a ratio to a yardstick measured in the same run, in turns, or a
 * number that the machine's speed hardly touches. `npm run bench`, or `npm run bench -- sending` for a part of it.
 */
import { cpus } from 'node:os'
import { accepting } from './accepting.ts'
import { broadcasts } from './broadcasts.ts'
import { foundation } from './foundation.ts'
import { growth } from './growth.ts'
import { importing } from './importing.ts'
import { receiving } from './receiving.ts'
import { sending } from './sending.ts'
import { telling } from './telling.ts'

const parts = { foundation, accepting, sending, telling, receiving, growth, importing, broadcasts }

const asked = process.argv[2]
const chosen = Object.entries(parts).filter(([name]) => asked === undefined || name === asked)
if (chosen.length === 0) throw new Error(`there is no part ${asked}; there are ${Object.keys(parts).join(', ')}`)

console.log(`\n${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`)
for (const [name, measureAll] of chosen) {
  const rows = await measureAll()
  console.log(`\n${name}`)
  console.table(Object.fromEntries(rows.map(({ what, ...row }) => [what, row])))
}
process.exit()
