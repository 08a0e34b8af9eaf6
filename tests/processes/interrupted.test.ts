import { spawn } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { processTable, type RunningProcess } from '../support/process-table.ts'

function descendantsOf(root: number): RunningProcess[] {
  const table = processTable()
  const children = table.filter(({ parent }) => parent === root)
  return [...children, ...children.flatMap(({ pid }) => descendantsOf(pid))]
}

test('who interrupts a run of tests finds no process of it afterwards', async () => {
  const run = spawn('vitest', ['run', '--project', 'slow', 'tests/processes/stopping.test.ts'], {
    detached: true,
    stdio: 'ignore',
  })
  onTestFinished(() => void run.kill('SIGKILL'))
  const isNode = ({ command }: RunningProcess): boolean => command.includes('dist/main.js start')
  const started = await eventually(
    'a node is started',
    () => {
      const all = descendantsOf(run.pid!)
      return all.some(isNode) && all.map(({ pid, command }) => ({ pid, command }))
    },
    60_000,
  )
  expect(started.filter(({ command }) => command.includes('postgres')).length).toBeGreaterThan(0)
  process.kill(-run.pid!, 'SIGINT')
  const isLeft = ({ pid, command }: RunningProcess): boolean =>
    started.some((one) => one.pid === pid && one.command === command)
  await eventually('all of it has ended', () => !processTable().some(isLeft))
})
