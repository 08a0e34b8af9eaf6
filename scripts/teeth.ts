/**
 * Breaks a copy of the source on purpose, one promise at a time, and requires that the tests notice: `npm run teeth`.
 * A test that stays green here proves nothing.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { breaks, type Break } from './breaks.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const only = process.argv[2]

const copy = mkdtempSync(join(tmpdir(), 'posthouse-teeth-'))
for (const part of [
  'src',
  'tests',
  'scripts',
  'docs',
  'bench',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  'openapi.json',
]) {
  cpSync(join(root, part), join(copy, part), { recursive: true })
}
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))

const chosen = breaks.filter(({ promise }) => only === undefined || promise === only)
const toothless = chosen.filter((broken) => !turnsRed(broken))
rmSync(copy, { recursive: true })
console.log(`${chosen.length - toothless.length} passed, ${toothless.length} failed`)
process.exitCode = toothless.length === 0 ? 0 : 1

function turnsRed({ promise, what, file, from, to, test }: Break): boolean {
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  if (source.split(from).length !== 2) throw new Error(`${file} does not hold exactly once: ${from}`)
  writeFileSync(
    path,
    source.replace(from, () => to),
  )
  const run = spawnSync('vitest', ['run', test], { cwd: copy, encoding: 'utf8' })
  writeFileSync(path, source)
  // A run that could not even start proves as little as one that passed.
  const red = run.status === 1 && /^[1-9]\d* passed|^\d+ passed, [1-9]/m.test(run.stdout)
  console.log(`${red ? 'red  ' : 'GREEN'}  promise ${promise}: ${what}`)
  if (!red) console.log(run.stdout.slice(-2_000), run.stderr.slice(-500))
  return red
}
