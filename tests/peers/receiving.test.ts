import nodemailer from 'nodemailer'
import { describe, expect, inject, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { receivingWorld, type ReceivingWorld } from '../support/receiving.ts'
import { startPostfix, type Postfix } from './postfix.ts'

const { postfix: program = '' } = inject('peers')

/** Our receiving server, and Postfix as the mail host of `peer.test`, which brings everything that it sends to us. */
async function worldWithPostfix(
  settings: Record<string, string> = {},
): Promise<{ world: ReceivingWorld; postfix: Postfix; port: number }> {
  const world = await receivingWorld({
    bare: false,
    zones: { 'peer.test': { MX: ['10 mx.peer.test'] }, 'mx.peer.test': { A: ['127.0.0.2'] } },
  })
  const place = { address: '127.0.0.2', port: world.sink.port, domain: 'peer.test' }
  const outwards = {
    relayhost: `[127.0.0.1]:${world.smtpPort}`,
    smtp_host_lookup: 'native',
    smtp_tls_security_level: 'may',
    mynetworks: '127.0.0.0/8',
    smtpd_relay_restrictions: 'permit_mynetworks, reject_unauth_destination',
    smtpd_recipient_restrictions: 'permit_mynetworks, reject_unauth_destination',
    strict_7bit_headers: 'no',
    strict_8bitmime_body: 'no',
    smtputf8_enable: 'yes',
  }
  const postfix = await startPostfix({ program, ...place, settings: { ...outwards, ...settings } })
  return { world, postfix, port: place.port }
}

describe.skipIf(program === '')('Postfix as the sending server', () => {
  test('brings mail over TLS, in any script, of any size that we take', async () => {
    const { world, port } = await worldWithPostfix()
    const domain = await world.managedDomain()
    const transport = nodemailer.createTransport({ host: '127.0.0.2', port, name: 'client.peer.test', ignoreTLS: true })
    const big = Buffer.alloc(5_000_000, 'Zeile für Zeile\r\n')
    await transport.sendMail({
      from: 'Jörg <joerg@peer.test>',
      to: `help@${domain}`,
      subject: 'Grüße',
      text: '.\n..\n.a line\n',
      attachments: [{ filename: 'big.txt', content: big }],
    })
    const received = await world.arrived(`help@${domain}`)
    expect(received).toMatchObject({
      subject: 'Grüße',
      from: { name: 'Jörg' },
      text: '.\n..\n.a line\n',
      attachmentCount: 1,
    })
    // The newest line of the way is ours.
    expect(received.headers[0]).toMatchObject({
      name: 'Received',
      value: expect.stringContaining('by posthouse.test with ESMTPS'),
    })
    expect(received.headers[1]).toMatchObject({ name: 'Received', value: expect.stringContaining('by mx.peer.test') })
    const [session] = await world.db.all(sql<{ tls: string }>`select session ->> 'tls' as tls from received_messages`)
    expect(session!.tls).toMatch(/^TLSv1\.3 /)
  })

  test('and its own report of a mailbox that it does not have after all ends as bounced, with a suppression', async () => {
    // Taken at RCPT, and missed when it is to be delivered.
    const { world, postfix } = await worldWithPostfix({
      virtual_mailbox_maps: 'inline:{open@peer.test=inbox/}',
      smtpd_reject_unlisted_recipient: 'no',
    })
    const id = await world.send('closed@peer.test')
    const email = await world.becomes(id, 'bounced', 60_000).catch((error: unknown) => {
      throw new Error(postfix.log(), { cause: error })
    })
    expect(email.events.map(({ type }) => type)).toEqual(['email.delivered', 'email.bounced'])
    expect(email.events[1]!.detail).toMatch(/unknown user/i)
    const { body } = await world.projectApi.get<{ data: unknown[] }>('suppressions')
    expect(body.data).toMatchObject([{ email: 'closed@peer.test', reason: 'bounce', messageId: id }])
  })
})
