/** The rules that operators give to their Prometheus, judged by Prometheus's own tool. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, inject, test } from 'vitest'
import { world } from '../support/world.ts'

const { promtool: program = '' } = inject('peers')

const rules = fileURLToPath(new URL('../../ops/prometheus', import.meta.url))

function promtool(args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: rules, encoding: 'utf8', input })
  return status === 0 ? 'fine' : `${stdout}${stderr}`
}

describe.skipIf(program === '')('promtool', () => {
  test('the alert rules are valid, fire when they should, and stay quiet on an ordinary day', () => {
    expect(promtool(['check', 'rules', 'alerts.yml'])).toBe('fine')
    expect(promtool(['test', 'rules', 'alerts.test.yml'])).toBe('fine')
  })

  test('what a node shows can be read, and is called as Prometheus advises', async () => {
    const { api } = await world()
    await api.get('projects')
    const { text } = await api.with(undefined).get('/metrics')
    const ours = text
      .split('\n')
      .filter((line) => /^(?:# (?:HELP|TYPE) )?posthouse_/.test(line))
      .join('\n')
    expect(promtool(['check', 'metrics'], `${ours}\n`)).toBe('fine')
  })
})
