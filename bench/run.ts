/**
 * Figures that mean something on any machine: each is a ratio to a yardstick measured in the same run, in turns, or a
 * number that the machine's speed hardly touches. `npm run bench`, or `npm run bench -- sending` for a part of it.
 */
import { writeFileSync } from 'node:fs'
import { cpus, release } from 'node:os'
import { accepting } from './accepting.ts'
import { broadcasts } from './broadcasts.ts'
import { finding } from './finding.ts'
import { foundation } from './foundation.ts'
import { growth } from './growth.ts'
import { importing } from './importing.ts'
import { live } from './live.ts'
import { queue } from './queue.ts'
import { receiving } from './receiving.ts'
import { sending } from './sending.ts'
import { stages } from './stages.ts'
import { statistics } from './statistics.ts'
import { asMarkdown, type Row } from './table.ts'
import { telling } from './telling.ts'

const parts = {
  foundation,
  accepting,
  sending,
  stages,
  telling,
  receiving,
  growth,
  queue,
  importing,
  broadcasts,
  finding,
  statistics,
  live,
}

const asked = process.argv[2]
const chosen = Object.entries(parts).filter(([name]) => asked === undefined || name === asked)
if (chosen.length === 0) throw new Error(`there is no part ${asked}; there are ${Object.keys(parts).join(', ')}`)

const machine = `${cpus().length} × ${cpus()[0]?.model}, Linux ${release()}, Node ${process.version}`
console.log(`\n${machine}`)
const all: Row[] = []
for (const [name, measureAll] of chosen) {
  const rows = await measureAll()
  all.push(...rows)
  console.log(`\n${name}`)
  console.table(Object.fromEntries(rows.map(({ what, ...row }) => [what, row])))
}
// For whoever wants to keep it: BENCH_REPORT=docs/bench.md npm run bench
const report = process.env['BENCH_REPORT']
if (report !== undefined) writeFileSync(report, asMarkdown(machine, all))
process.exit()
