import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, inject, test } from 'vitest'
import { selfSigned } from '../support/certificates.ts'
import { eventually } from '../support/eventually.ts'
import { mailWorld, type MailWorld } from '../support/mail-world.ts'
import { expectAllArriveUnchanged } from './arrivals.ts'
import { freePort } from './foreground.ts'
import { startPostfix, type Postfix } from './postfix.ts'

const { postfix: program = '' } = inject('peers')

describe.skipIf(program === '')('Postfix', () => {
  test('at its strictest takes every mail as it left us', async () => {
    await expectAllArriveUnchanged((place) => startPostfix({ program, ...place }))
  })

  test('at its strictest means it: a bare line feed, a byte beyond ASCII or a hurried client is turned away', async () => {
    const place = { address: '127.0.0.1', port: await freePort(), domain: 'peer.test' }
    const postfix = await startPostfix({ program, ...place })
    const envelope = ['EHLO us.test', 'MAIL FROM:<a@us.test>', 'RCPT TO:<b@peer.test>', 'DATA']
    const say = (content: string) => talk(place.port, [...envelope, content])
    expect(await say('Subject: x\r\n\r\nfine\r\n.\r\nQUIT')).toMatch(/\r\n250 2\.0\.0 Ok: queued/)
    expect(await say('Subject: x\r\n\r\nbare\nfeed\r\n.\r\nQUIT')).toMatch(/\r\n5\d\d 5\.5\.2 /)
    expect(await say('Subject: \xff\r\n\r\nx\r\n.\r\nQUIT')).toMatch(/\r\n550 5\.6\.7 |\r\n55\d 5\.6\.\d /)
    expect(await talk(place.port, [`${envelope.join('\r\n')}\r\nQUIT`])).toMatch(/\r\n5\d\d 5\.5\.0 /)
    await eventually('the good one has arrived', () => postfix.received().length === 1)
  })

  test('which puts us off at first gets the mail later, once', async () => {
    const settings = {
      smtpd_recipient_restrictions: 'check_recipient_access texthash:$here/etc/grey, reject_unauth_destination',
      // Another process for every connection, since each reads the table once.
      max_use: '1',
    }
    const { world, postfix } = await worldWithPostfix(settings, [
      ['etc/grey', 'grey@peer.test 450 4.7.1 Greylisted, come back later'],
    ])
    const { send, becomes, advance } = world
    const grey = await send('grey@peer.test')
    const deferred = await becomes(grey, 'deferred')
    expect(deferred.events).toMatchObject([{ type: 'email.deferred', smtp: { code: 450, enhanced: '4.7.1' } }])
    postfix.setFile('etc/grey', '')
    await advance({ minutes: 3 })
    expect((await becomes(grey, 'delivered')).recipients).toMatchObject([{ attempts: 2 }])
    expect(await arrivals(postfix, 1)).toEqual(['grey@peer.test'])
  })

  test('which does not know a mailbox makes it bounce', async () => {
    const { world, postfix } = await worldWithPostfix({ virtual_mailbox_maps: 'inline:{known@peer.test=inbox/}' })
    const [known, unknown] = [await world.send('known@peer.test'), await world.send('unknown@peer.test')]
    await world.becomes(known, 'delivered')
    expect((await world.becomes(unknown, 'bounced')).events).toMatchObject([
      { type: 'email.bounced', smtp: { code: 550, enhanced: '5.1.1', host: 'mx.peer.test' } },
    ])
    expect(await arrivals(postfix, 1)).toEqual(['known@peer.test'])
  })

  test('which takes nothing in clear gets it over TLS, although nobody vouches for its certificate', async () => {
    const { cert, key } = selfSigned(['mx.peer.test'])
    const settings = {
      smtpd_tls_security_level: 'encrypt',
      smtpd_tls_chain_files: '$here/etc/chain.pem',
      smtpd_tls_received_header: 'yes',
    }
    const { world, postfix } = await worldWithPostfix(settings, [['etc/chain.pem', `${key}${cert}`]])
    const { events } = await world.becomes(await world.send('ann@peer.test'), 'delivered')
    expect(events).toMatchObject([{ smtp: { code: 250, tls: 'TLSv1.3' } }])
    await arrivals(postfix, 1)
    expect(postfix.received()[0]!.transport.join('\n')).toMatch(
      /Received: from posthouse\.test .*using TLSv1\.3.* with ESMTPS/,
    )
  })

  test('which speaks UTF-8 gets mail for a mailbox beyond ASCII', async () => {
    // Postfix holds its own `Received: … for <jürgen@…>` against us otherwise.
    const { world, postfix } = await worldWithPostfix({ strict_7bit_headers: 'no' })
    await world.becomes(await world.send('jürgen@peer.test'), 'delivered')
    expect(await arrivals(postfix, 1)).toEqual(['jürgen@peer.test'])
  })
})

/** Sends each piece once the one before is answered, and everything that was heard. */
async function talk(port: number, pieces: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const heard = text(socket.setEncoding('latin1'))
  const queue = [...pieces]
  socket.on('data', (chunk: string) => {
    if (!/^\d\d\d .*\r\n$/m.test(chunk)) return
    const next = queue.shift()
    if (next !== undefined) socket.write(`${next}\r\n`, 'latin1')
  })
  return heard
}

/** An installation, and Postfix as the mail host of `peer.test`. */
async function worldWithPostfix(
  settings: Record<string, string> = {},
  files: readonly (readonly [path: string, content: string])[] = [],
): Promise<{ world: MailWorld; postfix: Postfix }> {
  const world = await mailWorld({
    zones: { 'peer.test': { MX: ['10 mx.peer.test'] }, 'mx.peer.test': { A: ['127.0.0.2'] } },
  })
  const place = { address: '127.0.0.2', port: world.sink.port, domain: 'peer.test' }
  return { world, postfix: await startPostfix({ program, ...place, settings, files }) }
}

/** Recipients of what is there, once there is enough. */
const arrivals = (postfix: Postfix, count: number): Promise<string[]> =>
  eventually(`${count} arrive`, () => {
    const all = postfix.received().map(({ to }) => to)
    return all.length >= count && all.toSorted()
  })
