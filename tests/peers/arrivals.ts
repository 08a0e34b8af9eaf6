import { expect } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { mailWorld, type Email, type MailWorld } from '../support/mail-world.ts'
import type { Arrived } from './maildir.ts'
import { mails } from './mails.ts'

interface Host {
  received(): Arrived[]
  log(): string
}

/** Where a peer takes the place of our own sink. */
export interface Place {
  address: string
  port: number
  domain: string
}

/**
 * Sends every mail to a host of ours that keeps it and breaks the connection instead of saying so; then the peer takes
 * that host's place, and gets the same bytes. So what left us is known to the byte without asking us.
 */
export async function expectAllArriveUnchanged(start: (place: Place) => Promise<Host>): Promise<void> {
  const here = await mailWorld({ sink: { orders: { dot: 'drop' } } })
  const { sink, send, verifiedDomain, advance } = here
  await verifiedDomain('both.example', undefined, { ed25519: true })
  const sent = Object.entries(mails())
  const ids: string[] = []
  for (const [name, mail] of sent) {
    ids.push(await send(`Änne Ann-${name} <${name}@sink.test>`, { from: 'Jürgen "J" <hello@both.example>', ...mail }))
  }
  for (const id of ids) expect((await tried(here, id, 1)).status).toBe('deferred')
  const left = new Map(sink.taken.map(({ to, raw }) => [to, raw.toString('latin1')]))
  expect(left.size).toBe(sent.length)

  await sink.stop()
  const peer = await start({ address: sink.address, port: sink.port, domain: 'sink.test' })
  await advance({ minutes: 3 })
  // The second attempt is the last one: nobody puts us off without a reason.
  for (const id of ids) {
    const { status, events } = await tried(here, id, 2, peer)
    expect(status, `${events.at(-1)?.detail}\n${peer.log()}`).toBe('delivered')
  }
  const arrived = await eventually('everything is in the Maildir', () => {
    const all = peer.received()
    return all.length >= sent.length && all
  })
  const byRecipient = new Map(arrived.map(({ to, raw }) => [to, raw.toString('latin1')]))
  expect(arrived).toHaveLength(sent.length)
  for (const [to, raw] of left) expect(byRecipient.get(to), to).toBe(raw)
}

/** The email, once so many attempts were made. One that only waits for its host has not been tried. */
const tried = ({ email }: MailWorld, id: string, attempts: number, peer?: Host): Promise<Email> =>
  eventually(
    `${id} is tried ${attempts} times`,
    async () => {
      const found = await email(id)
      if (found.recipients[0]!.attempts === attempts && found.status !== 'sending') return found
      throw new Error(`${JSON.stringify(found.recipients)}\n${peer?.log()}`)
    },
    60_000,
  )
