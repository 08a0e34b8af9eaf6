import { decodeId, encodeId, type ReceivedId } from '../core/ids.ts'
import { json, onlyOperand, UsageError, type Command, type Input } from './command.ts'
import { inWorkspace, table } from './workspace.ts'

const MAX_SHOWN = 100

const list: Command = {
  name: 'mailbox',
  summary: 'List what was written to you as the operator: mail to postmaster@ and abuse@.',
  options: { json },
  more: `The newest ${MAX_SHOWN}. "posthouse mailbox show <id>" prints one as it came.`,
  async run(input, terminal) {
    const mails = await inWorkspace(terminal, ({ operatorMailbox }) => operatorMailbox.list(MAX_SHOWN))
    const shown = mails.map((mail) => ({ ...mail, id: encodeId('rcv', mail.id) }))
    if (input.flag('json')) return terminal.out(JSON.stringify(shown))
    if (shown.length === 0) return terminal.out('Nobody has written to postmaster@ or abuse@.')
    const rows = shown.map(({ id, receivedAt, recipient, from, subject }) => [
      id,
      receivedAt.toISOString(),
      recipient,
      from ?? '<>',
      subject ?? '',
    ])
    terminal.out(table([['ID', 'RECEIVED', 'TO', 'FROM', 'SUBJECT'], ...rows]))
  },
}

const show: Command = {
  name: 'mailbox show',
  summary: 'Print one message to postmaster@ or abuse@.',
  operands: '<id>',
  options: {},
  more: 'Control characters are shown as \\u001b and the like: strangers wrote it, and a terminal obeys some of them.',
  async run(input, terminal) {
    const id = operandId(input)
    const raw = await inWorkspace(terminal, ({ operatorMailbox }) => operatorMailbox.raw(id))
    terminal.out(raw.toString('utf8').replaceAll('\r\n', '\n').replaceAll('\t', '        '))
  },
}

/** The longer name first: a command is known by the words it begins with. */
export const mailboxCommands: readonly Command[] = [show, list]

function operandId(input: Input): ReceivedId {
  const text = onlyOperand(input, 'message')
  const id = decodeId('rcv', text)
  if (id === undefined) throw new UsageError(`"${text}" is not the id of a message.`)
  return id
}
