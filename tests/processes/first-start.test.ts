import { spawnSync } from 'node:child_process'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { Client } from '../support/client.ts'
import { launchPosthouse, startPosthouse, testDirectory } from '../support/posthouse-process.ts'

test('the first start says what it does and where it is, with two keys and a first mail that arrives; later starts show no key', async () => {
  const first = await startPosthouse()
  const { workspace, project, projectId } = first.keys
  expect(first.stdout).toMatch(/^Creating the database \(once\) …\n/)
  const block = first.stdout.slice(first.stdout.indexOf('Posthouse '))
  const expected = [
    /^Posthouse \S+ is running\.$/,
    new RegExp(`^  API +${first.url}/api/v1$`),
    new RegExp(`^  Reference +${first.url}/docs$`),
    new RegExp(`^  Workspace +${workspace}$`),
    new RegExp(`^  Project +${project} +\\(${projectId}\\)$`),
    /^ {2}curl .*email\/send/,
    /^ {2}curl .*emails"/,
    /^ {2}Ctrl-C stops it\.$/,
  ]
  const found = expected.map((line) => block.split('\n').findIndex((text) => line.test(text)))
  expect(found).not.toContain(-1)
  expect(found).toEqual(found.toSorted((a, b) => a - b))
  expect(first.stderr).toBe('')

  const typed = block.split('\n')
  const send = typed.slice(found[5]!, found[5]! + 3).join('\n')
  expect(JSON.parse(shell(send))).toMatchObject({ id: expect.stringMatching(/^em_/), status: 'queued', projectId })
  await eventually('it is delivered', () => shell(typed[found[6]!]!).includes('"status":"delivered"'))
  const reference = await fetch(/Reference +(\S+)/.exec(block)![1]!)
  expect(reference.status).toBe(200)
  expect(await reference.text()).toContain('<h1>')
  const bound = await first.api.with(project).get<{ data: { id: string }[] }>('projects')
  expect(bound.body.data.map(({ id }) => id)).toEqual([projectId])

  expect(await first.stop()).toEqual({ code: 0, signal: null })
  const second = await startPosthouse({ dataDir: first.dataDir, port: first.port })
  expect(second.stdout).not.toContain('ph_live_')
  expect(second.stdout).not.toContain('Creating')
  expect(second.stdout).toContain('npx posthouse keys create --workspace')
  expect((await first.api.get('projects')).status).toBe(200)
})

test('with FIRST_KEYS_FILE the first keys are in that file, for its owner only, and nowhere else', async () => {
  const file = join(testDirectory(), 'keys')
  writeFileSync(file, '')
  const refused = await launchPosthouse({ env: { FIRST_KEYS_FILE: file } })
  expect(await refused.refusal()).toMatch(
    /^The first keys cannot be written to .* \(EEXIST: .*\)\. Name a file in FIRST_KEYS_FILE .*\.\n$/,
  )
  rmSync(file)

  const node = await startPosthouse({ dataDir: refused.dataDir, env: { FIRST_KEYS_FILE: file } })
  expect(node.stdout).toContain(`Your keys are in ${file}, which only its owner can read.`)
  expect(node.output).not.toContain('ph_live_')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const keys = shell(`. ${file}; echo "$WORKSPACE_KEY" "$PROJECT_KEY" "$PROJECT_ID"`).trim().split(' ')
  expect(keys).toEqual([
    expect.stringMatching(/^ph_live_/),
    expect.stringMatching(/^ph_live_/),
    expect.stringMatching(/^prj_/),
  ])
  const seen = await new Client(node.url, keys[1]).get<{ data: { id: string }[] }>('projects')
  expect(seen.body.data.map(({ id }) => id)).toEqual([keys[2]])
  expect((await new Client(node.url, keys[0]).get('projects')).status).toBe(200)
}, 240_000)

function shell(command: string): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command}: ${stderr}`)
  return stdout
}
