import { resolve } from 'node:path'
import type { FirstKeys } from '../app/first-start.ts'
import type { Node } from '../app/supervisor.ts'
import { version } from '../app/version.ts'
import { loadConfig } from '../config/load.ts'
import type { Config } from '../config/schema.ts'
import type { Command, Terminal } from './command.ts'

export const startCommand: Command = {
  name: 'start',
  summary:
    'Run this node: the API, the workers, the receiving server, and the embedded database unless DATABASE_URL is set.',
  options: {},
  more: 'Ctrl-C or SIGTERM stops it in order. docs/configuration.md lists the variables it reads.',
  async run(_input, terminal) {
    const config = loadConfig(terminal.env)
    const { asked, urged } = stopSignals()
    // A start that hangs is given up; the next one adopts the database that it leaves behind.
    const giveUp = (): void => process.exit(1)
    urged.addEventListener('abort', giveUp)
    const node = await startUnless(asked, config, terminal)
    urged.removeEventListener('abort', giveUp)
    if (node !== undefined) {
      terminal.out(greeting(config, node))
      await aborted(asked)
      terminal.out('Stopping …')
      void aborted(urged).then(() => node.killNow())
      await node.stop()
    }
    terminal.out('Stopped.')
  },
}

/** Undefined when it was asked to stop before it was up. */
async function startUnless(asked: AbortSignal, config: Config, terminal: Terminal): Promise<Node | undefined> {
  const [{ createLogger }, { startNode }] = await Promise.all([
    import('../process/logger.ts'),
    import('../app/supervisor.ts'),
  ])
  const logger = createLogger('supervisor', config.logLevel)
  try {
    return await startNode(config, logger, (step) => terminal.out(step), asked)
  } catch (error) {
    if (asked.aborted) return undefined
    throw error
  }
}

/** npm passes on a signal that a terminal gives to the whole process group: one Ctrl-C may arrive twice. */
const ECHO_MS = 1_000

/** The first signal asks us to stop; a later one asks us to hurry. */
function stopSignals(): { asked: AbortSignal; urged: AbortSignal } {
  const asked = new AbortController()
  const urged = new AbortController()
  let askedAt = 0
  const hear = (): void => {
    if (asked.signal.aborted) {
      if (performance.now() - askedAt > ECHO_MS) urged.abort()
    } else {
      askedAt = performance.now()
      asked.abort()
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, hear)
  return { asked: asked.signal, urged: urged.signal }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

function greeting(config: Config, node: Node): string {
  const { firstKeys, held } = node
  const lines = config.roles.includes('api')
    ? servingLines(config, node)
    : [
        `  Posthouse ${version} is running (${config.roles.join(', ')}).`,
        ...(firstKeys ? keyLines(config, firstKeys) : []),
      ]
  return ['', ...lines, ...(held ? heldLines(held) : []), '', '  Ctrl-C stops it.', ''].join('\n')
}

function servingLines(config: Config, { firstKeys, setUpAt, smtpPort }: Node): string[] {
  const address = addressOf(config)
  return [
    `  Posthouse ${version} is running.`,
    '',
    ...(config.portal === 'on' ? [portalLine(config, setUpAt)] : []),
    `  API        ${address}/api/v1`,
    `  Reference  ${address}/docs`,
    ...(smtpPort === undefined ? [] : [`  Mail in    ${mailIn(config.smtpInboundHost, smtpPort)}`]),
    ...(firstKeys
      ? [...keyLines(config, firstKeys), ...firstMail(address, config, firstKeys)]
      : ['', '  Another key: npx posthouse keys create --workspace']),
    ...(config.smtpHostname.includes('.')
      ? []
      : [
          '',
          `  Other servers know us as ${config.smtpHostname}; a domain of your own needs a public name (SMTP_HOSTNAME).`,
        ]),
    ...(config.publicUrl.startsWith('https:')
      ? []
      : ['', `  Links in mail start with ${config.publicUrl}; one-click unsubscribe needs https (PUBLIC_URL).`]),
  ]
}

/** The address by which people reach us, not the one we listen on: passkeys belong to its name, and not to an IP address. */
const portalLine = ({ publicUrl }: Config, setUpAt: string | undefined): string =>
  `  Portal     ${setUpAt === undefined ? `${publicUrl}/` : `${setUpAt}   (once, within 24 hours)`}`

const mailIn = (host: string, port: number): string =>
  ['127.0.0.1', '::1', 'localhost'].includes(host)
    ? `${host}:${port} (this machine only; SMTP_INBOUND_HOST=0.0.0.0 opens it)`
    : `${host}:${port}`

const heldLines = ({ since, because }: NonNullable<Node['held']>): string[] => [
  '',
  `  SENDING IS HELD since ${since.toISOString()}: ${because}.`,
  '  Mail, webhook deliveries and texts are accepted and wait; nothing leaves.',
  '  What waits: npx posthouse sending    Let it go: npx posthouse sending resume',
]

function addressOf({ host, port }: Config): string {
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

const keyLines = ({ firstKeysFile }: Config, { workspaceKey, projectKey, projectId }: FirstKeys): string[] => {
  if (firstKeysFile !== undefined)
    return ['', `  Your keys are in ${resolve(firstKeysFile)}, which only its owner can read.`]
  return [
    '',
    '  Your keys, shown this once:',
    '',
    `  Workspace  ${workspaceKey}`,
    `  Project    ${projectKey}  (${projectId})`,
  ]
}

/** To the simulator, which takes mail before any domain exists. In quotes: some shells have a use for brackets. */
const firstMail = (
  address: string,
  { sandboxSender, simulatorDomain, firstKeysFile }: Config,
  { projectKey }: FirstKeys,
): string[] => {
  const key = firstKeysFile === undefined ? projectKey : '$PROJECT_KEY'
  return [
    '',
    firstKeysFile === undefined
      ? '  Send a first email:'
      : `  Send a first email, after: . "${resolve(firstKeysFile)}"`,
    '',
    `  curl "${address}/api/v1/email/send" -H "Authorization: Bearer ${key}" \\`,
    `    -H "Content-Type: application/json" -d '{"from": "${sandboxSender}",`,
    `    "to": "delivered@${simulatorDomain}", "subject": "Hello", "html": "<p>It works.</p>"}'`,
    '',
    '  and see what became of it:',
    '',
    `  curl "${address}/api/v1/emails" -H "Authorization: Bearer ${key}"`,
  ]
}
