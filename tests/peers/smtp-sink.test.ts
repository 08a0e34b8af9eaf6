import { describe, expect, inject, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { impatient, mailWorld, type MailWorld, type MailWorldOptions } from '../support/mail-world.ts'
import { startSmtpSink } from './smtp-sink.ts'

const { smtpSink: program = '' } = inject('peers')
const MAILS = 12

/** What smtp-sink is told to do wrong, and a word of what we say about it. */
const passing: [fault: string, detail: RegExp, options?: MailWorldOptions][] = [
  ['-q CONNECT', /connection failed/],
  ['-Q CONNECT', /^421 /],
  ['-r CONNECT', /^450 /],
  ['-q EHLO', /connection failed/],
  ['-q MAIL', /connection failed/],
  ['-r MAIL', /^450 4\.3\.0 /],
  ['-q RCPT', /connection failed/],
  ['-r RCPT', /^450 4\.3\.0 /],
  ['-Q RCPT', /^421 /],
  ['-q DATA', /connection failed/],
  ['-r DATA', /^450 4\.3\.0 /],
  ['-q .', /not confirmed/],
  ['-Q .', /^421 /],
  ['-r .', /^450 4\.3\.0 /],
  ['-w 5', /connection failed/, { circumstances: impatient }],
]

describe.skipIf(program === '')('smtp-sink', () => {
  test.each(passing)('that fails with %s has everything once, once it behaves', async (fault, detail, options) => {
    const world = await worldWithFaults(options)
    const place = { program, address: '127.0.0.2', port: world.sink.port }
    const faulty = await startSmtpSink({ ...place, faults: fault.split(' ') })
    const ids = await sendSome(world)
    const [first] = await eventually('somebody is put off', async () => {
      const events = (await Promise.all(ids.map((id) => world.email(id)))).flatMap((email) => email.events)
      return events.length > 0 && events
    })
    expect(first).toMatchObject({ type: 'email.deferred', detail: expect.stringMatching(detail) })
    await faulty.stop()

    const healthy = await startSmtpSink(place)
    for (const id of ids) await delivered(world, id)
    expect(healthy.taken().toSorted()).toEqual(recipients.toSorted())
  })

  test.each(['-f RCPT', '-f DATA', '-f .', '-f MAIL'])(
    'that refuses for good with %s is not asked again',
    async (fault) => {
      const world = await worldWithFaults()
      const place = { program, address: '127.0.0.2', port: world.sink.port }
      await startSmtpSink({ ...place, faults: fault.split(' ') })
      const ids = await sendSome(world)
      for (const id of ids) {
        const { events, recipients } = await world.becomes(id, 'failed')
        expect(recipients).toMatchObject([{ attempts: 1, nextAttemptAt: null }])
        expect(events).toMatchObject([{ type: 'email.failed', smtp: { code: 500, enhanced: '5.3.0' } }])
      }
      // It said nothing about the recipients.
      expect((await world.projectApi.get<{ data: unknown[] }>('suppressions')).body.data).toEqual([])
    },
  )

  test('that takes its time gets everything at the first attempt', async () => {
    const world = await worldWithFaults()
    const slow = await startSmtpSink({ program, address: '127.0.0.2', port: world.sink.port, faults: ['-w', '2'] })
    const ids = await sendSome(world)
    for (const id of ids) expect((await world.becomes(id, 'delivered')).recipients).toMatchObject([{ attempts: 1 }])
    expect(slow.taken().toSorted()).toEqual(recipients.toSorted())
  })
})

const recipients = Array.from({ length: MAILS }, (_, i) => `person-${i}@faulty.test`)

const worldWithFaults = (options: MailWorldOptions = {}): Promise<MailWorld> =>
  mailWorld({
    zones: { 'faulty.test': { MX: ['10 mx.faulty.test'] }, 'mx.faulty.test': { A: ['127.0.0.2'] } },
    ...options,
  })

async function sendSome({ send }: MailWorld): Promise<string[]> {
  const ids: string[] = []
  for (const to of recipients) ids.push(await send(to))
  return ids
}

/** Minutes pass while it waits: for its next attempt, or for an end of the pause that its host is given. */
const delivered = ({ email, advance }: MailWorld, id: string): Promise<boolean> =>
  eventually(`${id} is delivered`, async () => {
    const { status } = await email(id)
    if (status === 'deferred' || status === 'queued') await advance({ minutes: 1 })
    return status === 'delivered'
  })
