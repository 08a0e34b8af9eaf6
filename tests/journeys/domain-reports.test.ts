import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { formats, pack, reportOf, sumsOf } from '../support/aggregate-reports.ts'
import { addressIn, totals, type DmarcAnswer } from '../support/domain-reports.ts'
import { createDomain } from '../support/domains.ts'
import { eventually } from '../support/eventually.ts'
import { malformed, malformedKinds } from '../support/malformed-reports.ts'
import { receivingWorld } from '../support/receiving.ts'

test('reports come in by SMTP, from all reporters and among bombs, and are counted by the worker', async () => {
  const here = await receivingWorld({
    zones: { '7.100.51.198.in-addr.arpa': { PTR: ['o7.sendgrid.net'] }, 'o7.sendgrid.net': { A: ['198.51.100.7'] } },
  })
  const domain = await createDomain(here.projectApi, 'posts.example')
  const to = addressIn(domain)
  const inbox = await here.managedDomain()
  const reports = formats.map((_, seed) => reportOf(seed, { rows: 8 }))
  const bombs = ['a bomb in gzip', 'a bomb of forty bombs', 'elements without end', 'noise']
  for (const [at, report] of reports.entries()) {
    const bomb = bombs[at]
    if (bomb !== undefined) await here.deliver(malformed(malformedKinds.indexOf(bomb)).mail, { to })
    expect(await here.deliver(pack(formats[at]!, report).mail, { from: '', to })).toMatch(/^250 /)
  }
  // Some servers change the case of a local part.
  const again = pack('google', reports[0]!).mail
  expect(await here.deliver(again.subarray(0, -2), { to: to.replace('dmarc+', 'DMARC+') })).toMatch(/^250 /)
  await here.mail({ to: `ann@${inbox}`, subject: 'lunch?', text: 'At noon?' })
  const dmarc = async () => (await here.projectApi.get<DmarcAnswer>(`domains/${domain.id}/dmarc`)).body
  await eventually('all are counted', async () => (await dmarc()).reports === formats.length, 120_000)
  const { failed: _, ...sums } = sumsOf(reports)
  expect(totals(await dmarc())).toEqual(sums)
  expect((await here.arrived(`ann@${inbox}`)).subject).toBe('lunch?')
  // A job of its own names the sources.
  await eventually('the sender is named', async () =>
    (await dmarc()).data.some(
      ({ key, kind, name }) => key === '198.51.100.7' && kind === 'known' && name === 'SendGrid',
    ),
  )
}, 300_000)

test('only the addresses of domains that are there take reports, and of a size', async () => {
  const here = await receivingWorld()
  const domain = await createDomain(here.projectApi, 'posts.example')
  const to = addressIn(domain)
  const caller = await here.call()
  await caller.hello()
  expect(await caller.codes('MAIL FROM:<>', `RCPT TO:<dmarc+${'0'.repeat(32)}@posthouse.test>`)).toBe('250 550')
  expect(await caller.codes('RCPT TO:<dmarc@posthouse.test>')).toBe('550')
  expect(await caller.codes(`RCPT TO:<${to.replace('dmarc+', 'tls+')}>`)).toBe('550')
  expect(await caller.codes(`RCPT TO:<${to.replace('posthouse.test', 'bounce.posts.example')}>`)).toBe('550')
  expect(await caller.codes(`RCPT TO:<${to}>`, 'RSET')).toBe('250 250')
  expect(await caller.codes('MAIL FROM:<> SIZE=12000000', `RCPT TO:<${to}>`, 'RSET')).toBe('250 552 250')
  await here.projectApi.delete(`domains/${domain.id}`)
  const later = await here.call()
  await later.hello()
  expect(await later.codes('MAIL FROM:<>', `RCPT TO:<${to}>`)).toBe('250 550')
})

test('one network sends a domain so many a day, and others go on', async () => {
  const here = await receivingWorld()
  const domain = await createDomain(here.projectApi, 'posts.example')
  const other = await createDomain(here.projectApi, 'other.example')
  await here.db.run(sql`
    insert into received_daily (owner, day, messages, bytes)
    values (${`domain report ${(await here.db.one(sql<{ id: string }>`select id from domains where name = 'posts.example'`)).id} 7f0000`},
            (clock_now() at time zone 'UTC')::date, 100, 0)`)
  const caller = await here.call()
  await caller.hello()
  expect(await caller.codes('MAIL FROM:<>', `RCPT TO:<${addressIn(domain)}>`)).toBe('250 452')
  expect(await caller.codes(`RCPT TO:<${addressIn(other)}>`)).toBe('250')
})
