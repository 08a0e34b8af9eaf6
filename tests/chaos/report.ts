import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { Line } from './run.ts'

/** One line for each promise on the screen, and all of it in a file: CHAOS_REPORT, or chaos-report.md where one stands. */
export default class Report implements Reporter {
  readonly #startedAt = Date.now()

  onTestCaseResult(test: TestCase): void {
    for (const line of test.meta().lines ?? []) console.log(onScreen(line))
    const { state } = test.result()
    if (state === 'failed' && !test.meta().lines?.some(({ isKept }) => !isKept)) console.log(`INVALID  ${test.name}`)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const minutes = ((Date.now() - this.#startedAt) / 60_000).toFixed(1)
    const file = process.env['CHAOS_REPORT'] ?? 'chaos-report.md'
    writeFileSync(file, `${head(minutes)}${table(tests)}\n${tests.map(faultsOf).join('')}`)
    console.log(`\n${minutes} minutes; the report is in ${file}`)
  }
}

const onScreen = ({ promise, promised, measured, isKept, seed }: Line): string =>
  `${isKept ? 'kept    ' : 'BROKEN  '} ${promise.padEnd(10)} promised ${promised}; measured ${measured} (TEST_SEED=${seed})`

function head(minutes: string): string {
  const gigabytes = Math.round(totalmem() / 1024 ** 3)
  return `# Chaos report

\`npm run chaos\`: faults on purpose, ledgers kept by those outside (client, recipients' server, webhook receiver), compared as
sets. Promises are numbered as in [promises.md](promises.md).

- ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, ${minutes} minutes, commit ${commit()}
- ${cpus().length} × ${cpus()[0]?.model}, ${gigabytes} GB, Linux ${release()}, Node ${process.version}; everything, the
  clients and the recipients' servers included, on this machine

`
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}

function table(tests: readonly TestCase[]): string {
  const lines = tests
    .flatMap((test) => test.meta().lines ?? [])
    .toSorted((a, b) => Number.parseInt(a.promise) - Number.parseInt(b.promise))
  const rows = lines.map(
    ({ promise, promised, measured, isKept, seed }) =>
      `| ${promise} | ${promised} | ${measured} | ${isKept ? 'kept' : '**broken**'} | ${seed} |\n`,
  )
  return `| # | promised | measured | | seed |\n|---|---|---|---|---|\n${rows.join('')}`
}

/** What was really done to it; without that a line means little. */
function faultsOf(test: TestCase): string {
  const { state } = test.result()
  const faults = Object.entries(test.meta().faults ?? {}).map(([fault, times]) => `${times} × ${fault}`)
  return `- ${test.name}: ${faults.join(', ') || 'no faults recorded'}${state === 'passed' ? '' : ` (${state})`}\n`
}
