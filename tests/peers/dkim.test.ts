import { describe, expect, inject, test } from 'vitest'
import { mailWorld } from '../support/mail-world.ts'
import { dkimpy } from './dkimpy.ts'
import { mails, type Mail } from './mails.ts'
import { opendkim } from './opendkim.ts'
import { startRspamd } from './rspamd.ts'
import { selectorsOf, type Judge } from './verdict.ts'

const peers = inject('peers')

/** Each with the DNS server to ask. */
const judges: [
  name: string,
  program: string | undefined,
  start: (program: string, dns: string) => Judge | Promise<Judge>,
][] = [
  ['OpenDKIM', peers.opendkim, opendkim],
  ['dkimpy', peers.dkimpy, (_, dns) => dkimpy(dns)],
  ['rspamd', peers.rspamd, startRspamd],
]

describe.each(judges)('%s', (_, program, start) => {
  test.skipIf(program === undefined)('finds both signatures of every mail valid', async () => {
    const { messages, dns } = await signed(mails())
    const judge = await start(program!, dns)
    const verdicts = await judge(messages)
    for (const [i, message] of messages.entries()) {
      const { 'rsa-sha256': rsa = '', 'ed25519-sha256': ed25519 = '' } = selectorsOf(message)
      expect(verdicts[i], message.toString('latin1').slice(0, 3_000)).toEqual({ [rsa]: 'pass', [ed25519]: 'pass' })
    }
  })

  test.skipIf(program === undefined)('finds both invalid when one byte is another', async () => {
    const { messages, dns } = await signed({ one: { subject: 'Words', text: 'Hello there.' } })
    const judge = await start(program!, dns)
    const [message] = messages
    const { 'rsa-sha256': rsa = '', 'ed25519-sha256': ed25519 = '' } = selectorsOf(message!)
    const altered = [...places].map(([, place]) => flip(message!, place))
    const verdicts = await judge([message!, ...altered])
    expect(verdicts[0]).toEqual({ [rsa]: 'pass', [ed25519]: 'pass' })
    for (const [i, where] of [...places.keys()].entries()) {
      expect(verdicts[i + 1], where).toEqual({ [rsa]: 'fail', [ed25519]: 'fail' })
    }
  })
})

/** Up to the byte that becomes another. */
const places = new Map([
  ['From', /\r\nFrom: h/],
  ['To', /\r\nTo: o/],
  ['Subject', /\r\nSubject: W/],
  ['Date', /\r\nDate: \w\w\w, \d/],
  ['Message-ID', /\r\nMessage-ID: <em_\w/],
  ['Content-Type', /\r\nContent-Type: \w/],
  ['the body', /\r\n\r\n[^]*Hello/],
])

function flip(message: Buffer, place: RegExp): Buffer {
  const found = place.exec(message.toString('latin1'))
  if (found === null) throw new Error(`nothing like ${place} there`)
  const at = found.index + found[0].length - 1
  const altered = Buffer.from(message)
  // The next letter or figure, or the one before: no message becomes ill-formed by that.
  altered[at]! ^= 1
  return altered
}

/** What leaves us for a domain with both kinds of keys. */
async function signed(chosen: Record<string, Mail>): Promise<{ messages: Buffer[]; dns: string }> {
  const { sink, send, becomes, verifiedDomain, dns } = await mailWorld()
  await verifiedDomain('both.example', undefined, { ed25519: true })
  const ids: string[] = []
  for (const [name, mail] of Object.entries(chosen)) {
    ids.push(await send(`${name}@sink.test`, { from: 'hello@both.example', ...mail }))
  }
  for (const id of ids) await becomes(id, 'delivered')
  return { messages: sink.taken.map(({ raw }) => raw), dns: dns.address }
}
