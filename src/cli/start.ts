import type { FirstKeys } from '../app/first-start.ts'
import { createLogger } from '../app/logger.ts'
import { startNode } from '../app/supervisor.ts'
import { version } from '../app/version.ts'
import { loadConfig } from '../config/load.ts'
import type { Config } from '../config/schema.ts'
import type { Command } from './command.ts'

export const startCommand: Command = {
  name: 'start',
  summary:
    'Run this node: the API, the workers, the receiving server, and the embedded database unless DATABASE_URL is set.',
  options: {},
  more: 'Ctrl-C or SIGTERM stops it in order. docs/configuration.md lists the variables it reads.',
  async run(_input, terminal) {
    const config = loadConfig(terminal.env)
    const stopAsked = nextSignal()
    const node = await startNode(config, createLogger('supervisor', config.logLevel), (step) => terminal.out(step))
    terminal.out(greeting(config, node.firstKeys))
    await stopAsked
    terminal.out('Stopping …')
    nextSignal().then(
      () => node.hurry(),
      () => {},
    )
    await node.stop()
    terminal.out('Stopped.')
  },
}

const nextSignal = (): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })

function greeting(config: Config, firstKeys: FirstKeys | undefined): string {
  if (!config.roles.includes('api')) return `Posthouse ${version} is running (${config.roles.join(', ')}).`
  const host = ['0.0.0.0', '::'].includes(config.host) ? 'localhost' : config.host
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`
  return [
    '',
    `  Posthouse ${version} is running.`,
    '',
    `  API        ${address}/api/v1`,
    `  Reference  ${address}/docs`,
    ...(firstKeys === undefined ? laterStart() : firstStart(address, firstKeys)),
    ...(config.publicUrl.startsWith('https:')
      ? []
      : ['', `  Links in mail start with ${config.publicUrl}; one-click unsubscribe needs https (PUBLIC_URL).`]),
    '',
    '  Ctrl-C stops it.',
    '',
  ].join('\n')
}

const firstStart = (address: string, { workspaceKey, projectKey, projectId }: FirstKeys): string[] => [
  '',
  '  Your keys, shown this once:',
  '',
  `  Workspace  ${workspaceKey}`,
  `  Project    ${projectKey}  (${projectId})`,
  '',
  '  Try it:',
  '',
  `  curl -H "Authorization: Bearer ${workspaceKey}" ${address}/api/v1/projects`,
]

const laterStart = (): string[] => ['', '  Another key: npx posthouse keys create --workspace']
