/** Writes the files that are made from the code: `npm run generate`. A test fails when one of them is stale. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { contractFolder, generatedFiles } from './generated.ts'

const files = generatedFiles()
// A part of the API that is gone leaves no file behind.
rmSync(contractFolder, { recursive: true, force: true })
for (const { path, text } of files) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
