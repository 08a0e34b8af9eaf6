import type { SmsConnections } from '../app/sms-connections.ts'
import { decodeId, type ProjectId, type SmsSenderId } from '../core/ids.ts'
import { SetupError } from '../core/errors.ts'
import { json, onlyOperand, UsageError, type Command, type Input, type Terminal } from './command.ts'
import { inWorkspace, table } from './workspace.ts'

const CONNECT_WITHIN_MS = 20_000

const gate = (word: 'invite' | 'uninvite', summary: string): Command => ({
  name: `sms ${word}`,
  summary,
  operands: '<project>',
  options: { json },
  async run(input, terminal) {
    const { id, text } = projectIn(input)
    await inWorkspace(terminal, ({ sms }, workspace) => sms.operator[word](workspace, id))
    say(input, terminal, { project: text, invited: word === 'invite' }, `${text} is ${word}d.`)
  },
})

const live = (word: 'on' | 'off'): Command => ({
  name: `sms live ${word}`,
  summary:
    word === 'on' ? 'Let a project text real numbers (SMS_LIVE_ENABLED must be true as well).' : 'Stop that at once.',
  operands: '<project>',
  options: {
    ...(word === 'on'
      ? {
          countries: {
            type: 'string',
            value: '<list>',
            help: "Where to, e.g. US,CA; the sender's own country if never given.",
          } as const,
        }
      : {}),
    json,
  },
  async run(input, terminal) {
    const { id, text } = projectIn(input)
    const countries = input
      .text('countries')
      ?.split(',')
      .map((word) => word.trim().toUpperCase())
    if (countries?.some((country) => !/^[A-Z]{2}$/.test(country))) throw new UsageError('Countries have two letters.')
    await inWorkspace(terminal, ({ sms }, workspace) => sms.operator.setLive(workspace, id, word === 'on', countries))
    say(input, terminal, { project: text, live: word === 'on' }, `Live delivery of ${text} is ${word}.`)
  },
})

const record = (decision: 'approve' | 'reject' | 'suspend', summary: string): Command => ({
  name: `sms record ${decision}`,
  summary,
  operands: '<id>',
  options: {
    ...(decision === 'reject'
      ? { reason: { type: 'string', value: '<field:code:text>', help: 'Why; several with | between.' } as const }
      : {}),
    json,
  },
  async run(input, terminal) {
    const text = onlyOperand(input, 'record')
    const prefix = (['smsbp', 'smspg', 'smssn'] as const).find((word) => text.startsWith(`${word}_`))
    const id = prefix && decodeId(prefix, text)
    if (prefix === undefined || id === undefined) throw new UsageError(`"${text}" is not the id of an SMS record.`)
    const reasons = reasonsIn(input.text('reason'))
    await inWorkspace(terminal, ({ sms }, workspace) => sms.operator.decide(workspace, decision, prefix, id, reasons))
    const status = { approve: 'approved', reject: 'rejected', suspend: 'suspended' }[decision]
    say(input, terminal, { id: text, status }, `${text} is ${status}.`)
  },
})

const activate: Command = {
  name: 'sms sender activate',
  summary: 'Let an approved sender send through a carrier connection.',
  operands: '<id>',
  options: {
    connection: { type: 'string', value: '<name>', help: 'A connection of SMS_CONNECTIONS_FILE.' },
    tps: { type: 'string', value: '<n>', help: 'Segments per second.' },
    'daily-cap': { type: 'string', value: '<n>', help: 'Segments per day; unlimited if omitted.' },
    json,
  },
  async run(input, terminal) {
    const { id, text } = senderIn(input)
    const connection = input.text('connection')
    if (connection === undefined) throw new UsageError('Name a --connection.')
    const perSecond = wholeNumber(input, 'tps')
    if (perSecond === null) throw new UsageError('Give the --tps.')
    const dailyCap = wholeNumber(input, 'daily-cap')
    await inWorkspace(terminal, async ({ sms, smsConnections }, workspace) => {
      await sms.operator.activateSender(workspace, id, { connection, perSecond, dailyCap })
      await warnOfPlainText(terminal, smsConnections, connection)
    })
    say(input, terminal, { id: text, status: 'active', connection }, `${text} is active on ${connection}.`)
  },
}

const deactivate: Command = {
  name: 'sms sender deactivate',
  summary: 'Stop a sender from sending.',
  operands: '<id>',
  options: { json },
  async run(input, terminal) {
    const { id, text } = senderIn(input)
    await inWorkspace(terminal, ({ sms }, workspace) => sms.operator.deactivateSender(workspace, id))
    say(input, terminal, { id: text, status: 'approved' }, `${text} is not active any more.`)
  },
}

const walletOptions = {
  mode: { type: 'string', value: '<mode>', help: 'test or live; live if omitted.' },
  ref: { type: 'string', value: '<text>', help: 'Your own name for it; the same one again changes nothing.' },
  json,
} as const

const topUp: Command = {
  name: 'sms wallet top-up',
  summary: 'Put money into a wallet.',
  operands: '<project> <amount>',
  options: walletOptions,
  async run(input, terminal) {
    const { formatAmount } = await import('../app/sms-operator.ts')
    const amount = await amountIn(input)
    if (amount <= 0n) throw new UsageError('A top-up is more than nothing.')
    const made = await inWorkspace(terminal, ({ sms }, workspace) =>
      sms.operator.topUp({ workspace, ...walletIn(input) }, amount, refIn(input)),
    )
    say(
      input,
      terminal,
      made,
      `${made.id}  ${formatAmount(BigInt(made.amountMicros))} ${made.currency}  ${made.status}`,
    )
  },
}

const reverse: Command = {
  name: 'sms wallet reverse',
  summary: 'Take a top-up back, e.g. after a chargeback. The wallet may go below zero.',
  operands: '<project>',
  options: walletOptions,
  async run(input, terminal) {
    const made = await inWorkspace(terminal, ({ sms }, workspace) =>
      sms.operator.reverse({ workspace, ...walletIn(input) }, refIn(input)),
    )
    say(input, terminal, made, `${made.id}  ${made.status}`)
  },
}

const adjust: Command = {
  name: 'sms wallet adjust',
  summary: 'Correct a wallet by an amount, which may be negative (write it after --).',
  operands: '<project> <amount>',
  options: { ...walletOptions, reason: { type: 'string', value: '<text>', help: 'Why.' } },
  async run(input, terminal) {
    const amount = await amountIn(input)
    const reason = input.text('reason')
    if (!reason) throw new UsageError('Give a --reason.')
    const wallet = await inWorkspace(terminal, ({ sms }, workspace) =>
      sms.operator.adjust({ workspace, ...walletIn(input) }, amount, refIn(input), reason),
    )
    await sayWallet(input, terminal, wallet)
  },
}

const freeze = (word: 'freeze' | 'unfreeze'): Command => ({
  name: `sms wallet ${word}`,
  summary: word === 'freeze' ? 'Let nothing be spent from a wallet.' : 'Let it be spent again.',
  operands: '<project>',
  options: { mode: walletOptions.mode, json },
  async run(input, terminal) {
    const wallet = await inWorkspace(terminal, ({ sms }, workspace) =>
      sms.operator.freeze({ workspace, ...walletIn(input) }, word === 'freeze'),
    )
    await sayWallet(input, terminal, wallet)
  },
})

const cap: Command = {
  name: 'sms wallet cap',
  summary: 'Limit what a wallet may spend in a day; "none" for no limit.',
  operands: '<project> <amount>',
  options: { mode: walletOptions.mode, json },
  async run(input, terminal) {
    const dailyCap = input.operands[1] === 'none' ? null : await amountIn(input)
    const wallet = await inWorkspace(terminal, ({ sms }, workspace) =>
      sms.operator.cap({ workspace, ...walletIn(input) }, dailyCap),
    )
    await sayWallet(input, terminal, wallet)
  },
}

const rates: Command = {
  name: 'sms rates load',
  summary: 'Add prices from a JSON file. Prices are dated; those that are there stay.',
  operands: '<file>',
  options: { json },
  async run(input, terminal) {
    const { readRates } = await import('../app/sms-operator.ts')
    const rows = readRates(onlyOperand(input, 'file'))
    const added = await inWorkspace(terminal, ({ sms }, workspace) => sms.operator.loadRates(workspace, rows))
    say(input, terminal, { rows: rows.length, added }, `${added} of ${rows.length} rates are new.`)
  },
}

const connections: Command = {
  name: 'sms connections test',
  summary: 'Connect to a carrier and send nothing.',
  operands: '<name>',
  options: { json },
  async run(input, terminal) {
    const { testConnection } = await import('../app/sms-operator.ts')
    const name = onlyOperand(input, 'connection')
    const health = await inWorkspace(terminal, async (services) => {
      await warnOfPlainText(terminal, services.smsConnections, name)
      return testConnection(services, name, CONNECT_WITHIN_MS)
    })
    if (health.state !== 'up') throw new SetupError(`${name} is ${health.state}: ${health.lastError ?? 'no answer'}`)
    say(input, terminal, { name, state: health.state }, `${name} is up.`)
  },
}

const reconcile: Command = {
  name: 'sms reconcile',
  summary: 'Check that every wallet adds up.',
  options: { fix: { type: 'boolean', help: 'Resolve reservations of messages that are over.' }, json },
  async run(input, terminal) {
    const { fixed, violations } = await inWorkspace(terminal, ({ sms }, workspace) =>
      sms.operator.reconcile(workspace, input.flag('fix')),
    )
    const rows = violations.map(({ walletId, invariant }) => [walletId, invariant])
    const lines = rows.length === 0 ? 'Everything adds up.' : table([['WALLET', 'WHAT IS WRONG'], ...rows])
    say(input, terminal, { fixed, violations }, fixed > 0 ? `${fixed} reservations were resolved.\n${lines}` : lines)
    if (violations.length > 0) throw new SetupError(`${violations.length} findings.`)
  },
}

export const smsCommands: readonly Command[] = [
  gate('invite', 'Let a project take part in the SMS beta.'),
  gate('uninvite', 'Take that back; what there is is kept.'),
  live('on'),
  live('off'),
  record('approve', 'The carrier has approved a record.'),
  record('reject', 'The carrier has rejected a record.'),
  record('suspend', 'The carrier has suspended a record.'),
  activate,
  deactivate,
  topUp,
  reverse,
  adjust,
  freeze('freeze'),
  freeze('unfreeze'),
  cap,
  rates,
  connections,
  reconcile,
]

async function warnOfPlainText(terminal: Terminal, connections: SmsConnections, name: string): Promise<void> {
  const { plainTextWarning } = await import('../app/sms-connections.ts')
  const settings = connections[name]
  const warning = settings && plainTextWarning(name, settings)
  if (warning !== undefined) terminal.err(`Warning: ${warning}`)
}

const say = (input: Input, terminal: Terminal, data: object, sentence: string): void =>
  terminal.out(input.flag('json') ? JSON.stringify(data) : sentence)

async function sayWallet(
  input: Input,
  terminal: Terminal,
  wallet: { availableMicros: number; reservedMicros: number; currency: string; status: string },
) {
  const { formatAmount } = await import('../app/sms-operator.ts')
  const { availableMicros: available, reservedMicros: reserved, currency, status } = wallet
  const amounts = `${formatAmount(BigInt(available))} ${currency}, ${formatAmount(BigInt(reserved))} reserved`
  say(input, terminal, wallet, `${status}: ${amounts}`)
}

function projectIn({ operands: [text] }: Input): { id: ProjectId; text: string } {
  if (text === undefined) throw new UsageError('Name the project.')
  const id = decodeId('prj', text)
  if (id === undefined) throw new UsageError(`"${text}" is not the id of a project.`)
  return { id, text }
}

function senderIn(input: Input): { id: SmsSenderId; text: string } {
  const text = onlyOperand(input, 'sender')
  const id = decodeId('smssn', text)
  if (id === undefined) throw new UsageError(`"${text}" is not the id of a sender.`)
  return { id, text }
}

function walletIn(input: Input): { project: ProjectId; mode: 'test' | 'live' } {
  const mode = input.text('mode') ?? 'live'
  if (mode !== 'test' && mode !== 'live') throw new UsageError('The --mode is test or live.')
  return { project: projectIn(input).id, mode }
}

async function amountIn({ operands: [, text] }: Input): Promise<bigint> {
  if (text === undefined) throw new UsageError('Name the project and the amount.')
  const { parseAmount } = await import('../app/sms-operator.ts')
  const amount = parseAmount(text)
  if (amount === undefined) throw new UsageError(`"${text}" is not an amount like 25.00.`)
  return amount
}

function refIn(input: Input): string {
  const reference = input.text('ref')
  if (!reference || reference.length > 200) throw new UsageError('Give a --ref of up to 200 characters.')
  return reference
}

function wholeNumber(input: Input, option: string): number | null {
  const text = input.text(option)
  if (text === undefined) return null
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--${option} is a whole number.`)
  return Number(text)
}

function reasonsIn(text: string | undefined): { field: string; code: string; message: string }[] {
  if (text === undefined) return []
  return text.split('|').map((reason) => {
    const [, field, code, message] = /^([^:]+):([^:]+):(.+)$/.exec(reason.trim()) ?? []
    if (field === undefined || code === undefined || message === undefined) {
      throw new UsageError(`"${reason}" is not <field:code:text>.`)
    }
    return { field, code, message }
  })
}
