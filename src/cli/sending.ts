import { loadConfig } from '../config/load.ts'
import { json, type Command, type Terminal } from './command.ts'
import { inWorkspace, table } from './workspace.ts'

const status: Command = {
  name: 'sending',
  summary: 'Say whether anything is sent, or held and why, and how much waits.',
  options: { json },
  more:
    'While sending is held, mail, webhook deliveries and text messages are accepted and wait; nothing leaves from any ' +
    'node. It is held when the database turns out to be a restored backup or a copy, and by "posthouse sending hold".',
  async run(input, terminal) {
    const { held, waiting } = await inWorkspace(terminal, ({ sendingSwitch }) => sendingSwitch.status())
    if (input.flag('json')) {
      const { since = null, because = null } = held ?? {}
      return terminal.out(JSON.stringify({ sending: held ? 'held' : 'on', since, because, waiting }))
    }
    const { mails, webhookDeliveries, texts } = waiting
    terminal.out(
      [
        held ? `Sending is held since ${held.since.toISOString()}: ${held.because}.` : 'Sending is on.',
        '',
        table([
          ['DUE NOW', ''],
          ['mails', String(mails)],
          ['webhook deliveries', String(webhookDeliveries)],
          ['texts', String(texts)],
        ]),
        ...(held ? ['', '"posthouse sending resume" lets them go.'] : []),
      ].join('\n'),
    )
  },
}

const hold: Command = {
  name: 'sending hold',
  summary: 'Send nothing more from any node until "posthouse sending resume".',
  options: { reason: { type: 'string', value: '<text>', help: 'Why, for whoever looks.' }, json },
  async run(input, terminal) {
    const reason = input.text('reason')?.trim() || 'an operator said so'
    const isNew = await inWorkspace(terminal, ({ sendingSwitch }, workspace) => sendingSwitch.hold(workspace, reason))
    if (input.flag('json')) return terminal.out(JSON.stringify({ sending: 'held', changed: isNew }))
    terminal.out(isNew ? 'Sending is held.' : 'Sending was held already; the reason stays.')
  },
}

const resume: Command = {
  name: 'sending resume',
  summary: 'Let everything go that waits because sending is held.',
  options: { json },
  async run(input, terminal) {
    const isNew = await inWorkspace(terminal, ({ sendingSwitch }, workspace) => sendingSwitch.resume(workspace))
    if (input.flag('json')) return terminal.out(JSON.stringify({ sending: 'on', changed: isNew }))
    terminal.out(isNew ? 'Sending goes on.' : 'Sending is on; nothing was held.')
    remindOf(terminal)
  },
}

/** The longer names first: a command is known by the words it begins with. */
export const sendingCommands: readonly Command[] = [hold, resume, status]

function remindOf(terminal: Terminal): void {
  if (loadConfig(terminal.env).startHeld) terminal.out('START_HELD is set: the next start holds it again.')
}
