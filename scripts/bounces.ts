/**
 * Reads real bounces and says how often we read the same as other software does, and where not: `npm run bounces`, with
 * the folder in SISIMAI_CORPUS. What is compared, and where we differ on purpose, is told in `tests/mail/corpus.ts`.
 */
import { measures, secondOpinion, shareOf } from '../tests/mail/corpus.ts'

const all = secondOpinion()
if (all === undefined) {
  console.error('SISIMAI_CORPUS must name a folder with labels.ndjson and mail/: see docs/receiving.md.')
  process.exit(2)
}

const TARGET = 0.95
const MAX_LENGTH = 160

for (const { measure, file, ours, theirs, isSame } of all) {
  if (!isSame) console.log(`${measure.padEnd(11)} ${file}: ${ours || 'nothing'}, they ${theirs}`.slice(0, MAX_LENGTH))
}
console.log()
for (const measure of measures) {
  const { same, of } = shareOf(measure, all)
  const verdict = same >= TARGET * of ? '' : `  below ${TARGET * 100} %`
  console.log(`${measure.padEnd(11)} ${((100 * same) / of).toFixed(1)} %  (${same} of ${of})${verdict}`)
  if (verdict !== '') process.exitCode = 1
}
console.log(`${shareOf('unread', all).of} recipients are named by them alone: no status and no hardness to compare.`)
