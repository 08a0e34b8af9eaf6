import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { testDirectory } from './posthouse-process.ts'

/** Runs a program that stands in a text until the test ends; the returned function tells what it has printed so far. */
export function startProgram(text: string, name: string, env: Record<string, string>): () => string {
  const file = join(testDirectory(), name)
  writeFileSync(file, text)
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (output += piece))
  return () => output
}
