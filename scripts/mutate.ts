/**
 * Breaks a copy of the source on purpose, one promise at a time, and requires that the tests notice: `npm run test:mutations`.
 * `npm run test:mutations -- 56` takes the breaks of one promise; the words of a break take that one alone.
 * A test that stays green here proves nothing.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mutations, type Mutation } from './mutations/index.ts'
import { replaced } from './pattern.ts'
import { buildPortal } from './portal-build.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const parts = [
  'src',
  'tests',
  'scripts',
  'docs',
  'bench',
  'portal',
  'packages',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vitest.config.ts',
  'openapi.json',
]
/** Enough of a storm to show that something is broken. */
const SCALE = '0.1'

if (import.meta.main) {
  const only = process.argv[2]
  process.exitCode = runMutations(
    mutations.filter(({ promise, what }) => only === undefined || promise === only || what === only),
  )
}

/** The exit code: 0 when every one of them was noticed. */
export function runMutations(chosen: readonly Mutation[]): number {
  const copy = mkdtempSync(join(tmpdir(), 'posthouse-mutations-'))
  for (const part of parts) cpSync(join(root, part), join(copy, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const survivors = chosen.filter((broken) => !turnsRed(copy, broken))
  rmSync(copy, { recursive: true })
  console.log(`${chosen.length - survivors.length} passed, ${survivors.length} failed`)
  return chosen.length > 0 && survivors.length === 0 ? 0 : 1
}

function turnsRed(copy: string, { promise, what, file, from, to, test }: Mutation): boolean {
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, replaced(source, from, to))
  const build = (): void => {
    if (file.startsWith('portal/')) buildPortal(copy, join(copy, 'portal/dist'))
  }
  build()
  const isChaos = test.startsWith('tests/chaos/')
  const [folder] = /^tests\/(?:chaos|portal)\//.exec(test) ?? []
  const config = folder === undefined ? [] : ['--config', `${folder}vitest.config.ts`]
  const run = spawnSync('vitest', ['run', '--bail', '1', ...config, test], {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, CHAOS_SCALE: SCALE },
  })
  writeFileSync(path, source)
  build()
  const red = run.status === 1 && wasNoticed(run.stdout, promise, isChaos)
  console.log(`${red ? 'red  ' : 'GREEN'}  promise ${promise}: ${what}`)
  if (!red) console.log(run.stdout.slice(-2_000), run.stderr.slice(-500))
  return red
}

/** A run that could not even start proves as little as one that passed; in chaos it has to be this very promise. */
function wasNoticed(printed: string, promise: string, isChaos: boolean): boolean {
  if (isChaos) return new RegExp(`^BROKEN +${promise} `, 'm').test(printed)
  return /^[1-9]\d* passed|^\d+ passed, [1-9]/m.test(printed)
}
