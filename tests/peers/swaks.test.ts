import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, inject, test } from 'vitest'
import { receivingWorld, type ReceivingWorld } from '../support/receiving.ts'

const { swaks: program = '' } = inject('peers')

interface Told {
  /** 0 when everything went as asked; the tool has a number for every step that failed. */
  code: number
  /** Both sides of the conversation. */
  said: string
}

const CONNECTION_LOST = 21
const RECIPIENT_REFUSED = 24
const DATA_REFUSED = 26
const TLS_REFUSED = 29

async function swaks({ smtpPort }: ReceivingWorld, ...args: string[]): Promise<Told> {
  const server = ['--server', '127.0.0.1', '--port', String(smtpPort), '--from', 'ann@sender.test']
  const child = spawn(program, [...server, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [said, [code]] = await Promise.all([
    Promise.all([text(child.stdout), text(child.stderr)]),
    once(child, 'exit') as Promise<[number]>,
  ])
  return { code, said: said.join('') }
}

describe.skipIf(program === '')('swaks', () => {
  test('brings mail in clear, over TLS, with HELO, in one piece, and from nobody', async () => {
    const here = await receivingWorld()
    const domain = await here.managedDomain()
    const ways: Record<string, string[]> = {
      clear: [],
      tls: ['-tls'],
      helo: ['--protocol', 'SMTP'],
      pipelined: ['--pipeline'],
      'pipelined-tls': ['-tls', '--pipeline'],
      nobody: ['--from', '<>'],
    }
    for (const [way, more] of Object.entries(ways)) {
      const to = `${way}@${domain}`
      const { code, said } = await swaks(here, '--to', to, '--body', `by ${way}`, ...more)
      expect(code, said).toBe(0)
      expect(await here.arrived(to), way).toMatchObject({
        envelope: { from: way === 'nobody' ? null : 'ann@sender.test', to },
        text: expect.stringContaining(`by ${way}`),
      })
    }
  })

  test('is told at RCPT that nothing is passed on, and that nobody lives there', async () => {
    const here = await receivingWorld()
    const domain = await here.managedDomain()
    for (const to of ['bob@elsewhere.test', `bob%elsewhere.test@other.test`, `"bob@elsewhere.test"@other.test`]) {
      const { code, said } = await swaks(here, '--to', to)
      expect(code, said).toBe(RECIPIENT_REFUSED)
      expect(said, to).toMatch(/<\*\* 550 5\.7\.1 /)
    }
    // One of two that is good is served.
    const both = await swaks(here, '--to', `good@${domain},bad@elsewhere.test`)
    expect(both.code, both.said).toBe(0)
    await here.arrived(`good@${domain}`)
  })

  test('can neither log in nor speak a protocol of the past', async () => {
    const here = await receivingWorld()
    const to = `help@${await here.managedDomain()}`
    const login = await swaks(here, '--to', to, '--auth', 'LOGIN', '--auth-user', 'a', '--auth-password', 'b')
    expect(login.code).not.toBe(0)
    expect(login.said).not.toMatch(/AUTH LOGIN\r?\n/)
    const old = await swaks(here, '--to', to, '-tls', '--tls-protocol', 'tlsv1')
    expect(old.code, old.said).toBe(TLS_REFUSED)
    expect(await here.list(`?to=${to}`)).toEqual([])
  })

  test('can neither send too much nor leave a message half said', async () => {
    const here = await receivingWorld({ inbound: { limits: { messageBytes: 100_000 } } })
    const to = `help@${await here.managedDomain()}`
    const large = await swaks(here, '--to', to, '--body', 'x'.repeat(998).concat('\n').repeat(101))
    expect(large.code, large.said.slice(-500)).toBe(DATA_REFUSED)
    expect(large.said).toMatch(/<\*\* 552 5\.3\.4 /)
    for (const step of ['MAIL', 'RCPT', 'DATA']) {
      const { code } = await swaks(here, '--to', to, '--drop-after', step)
      expect([0, CONNECTION_LOST], step).toContain(code)
    }
    const whole = await swaks(here, '--to', to, '--body', 'whole')
    expect(whole.code, whole.said).toBe(0)
    await here.arrived(to)
    expect(await here.list(`?to=${to}`)).toHaveLength(1)
  })
})
