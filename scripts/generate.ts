/** Writes the files that are made from the code: `npm run generate`. A test fails when one of them is stale. */
import { writeFileSync } from 'node:fs'
import { generatedFiles } from './generated.ts'

for (const { path, text } of generatedFiles()) writeFileSync(path, text)
