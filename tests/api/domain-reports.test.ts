import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { formats, mailOf, pack, reportOf, sumsOf, yesterday } from '../support/aggregate-reports.ts'
import { createDomain, publish, recordOf, SMTP_HOSTNAME, type ShownDomain } from '../support/domains.ts'
import {
  addressIn,
  dayOf,
  outcomes,
  processAll,
  receive,
  reportWith,
  row,
  totals,
  worldWithReports,
} from '../support/domain-reports.ts'
import { hand, intakeOf } from '../support/receiving.ts'
import { created } from '../support/world.ts'

test('every domain has a report address of its own, and keeps it', async () => {
  const { projectApi, domain, address } = await worldWithReports()
  expect(address).toMatch(new RegExp(`@${SMTP_HOSTNAME}$`))
  const again = (await projectApi.get<ShownDomain>(`domains/${domain.id}`)).body
  expect(addressIn(again)).toBe(address)
  expect(addressIn(await createDomain(projectApi, 'other.example'))).not.toBe(address)
})

test('reports of many reporters add up, by source, by reporter and by day', async () => {
  const here = await worldWithReports()
  const [day, before] = [yesterday(), yesterday() - 86_400]
  const reports = formats.flatMap((_, at) => [reportOf(at, { begin: day }), reportOf(100 + at, { begin: before })])
  const packed = reports.map((report, at) => pack(formats[at >> 1]!, report))
  await receive(
    here,
    here.address,
    packed.map(({ mail }) => mail),
  )
  const { failed: _, ...sums } = sumsOf(reports)
  for (const groupBy of ['source', 'reporter', 'day']) {
    const answer = await here.dmarc(`?groupBy=${groupBy}`)
    expect(answer.reports).toBe(reports.length)
    expect(totals(answer), groupBy).toEqual(sums)
  }
  const reporters = await here.dmarc('?groupBy=reporter')
  expect(reporters.data.map(({ key }) => key).toSorted()).toEqual(
    [...new Set(packed.map(({ reporter }) => reporter))].toSorted(),
  )
  expect(reporters.data[0]).toMatchObject({ kind: null, name: null, proven: false })
  const days = await here.dmarc('?groupBy=day')
  expect(days.data.map(({ key }) => key)).toEqual([dayOf(before), dayOf(day)])
  const one = await here.dmarc(`?from=${dayOf(day)}&to=${dayOf(day)}`)
  expect(totals(one)).toEqual((({ failed: __, ...rest }) => rest)(sumsOf(reports.filter(({ begin }) => begin === day))))
  expect(one).toMatchObject({ from: dayOf(day), to: dayOf(day), reports: formats.length })
  // An end in time is where the range ends: midnight belongs to the day before.
  const inTime = await here.dmarc(`?from=${dayOf(before)}T00:00:00Z&to=${dayOf(day)}T00:00:00Z`)
  expect(inTime).toMatchObject({ from: dayOf(before), to: dayOf(before), reports: formats.length })
})

test('a report counts once, however often and by however many it comes', async () => {
  const here = await worldWithReports()
  const report = reportWith('r1', [row('192.0.2.77', 5)])
  const first = pack('google', report)
  // The same report, in another wrapping: as a message it is a new one.
  const same = mailOf({ ...first, filename: 'again.zip' })
  await receive(here, here.address, [first.mail, same])
  await receive(here, here.address, [mailOf({ ...first, filename: 'third.zip' })])
  expect(await here.dmarc()).toMatchObject({ reports: 1, data: [{ key: '192.0.2.77', messages: 5 }] })
  expect((await outcomes(here)).map((outcome) => outcome?.split(',')[0])).toEqual([
    'counted',
    'counted before',
    'counted before',
  ])
  // Another reporter may use the same id.
  await receive(here, here.address, [pack('yahoo', report).mail])
  expect(await here.dmarc()).toMatchObject({ reports: 2, data: [{ messages: 10 }] })
})

test('workers that read the same reports at the same moment count each once', async () => {
  const here = await worldWithReports()
  const intake = intakeOf(here)
  const reports = Array.from({ length: 20 }, (_, at) => reportWith(`r${at}`, reportOf(at, { rows: 30 }).rows))
  for (const copy of ['a', 'b', 'c', 'd']) {
    for (const report of reports)
      await hand(intake, here.address, mailOf({ ...pack('comcast', report), filename: copy }))
  }
  const messages = (await here.db.all(sql<{ id: string }>`select id from received_messages order by random()`)).map(
    ({ id }) => id,
  )
  const parts = Array.from({ length: 8 }, (_, worker) => messages.filter((__, at) => at % 8 === worker))
  await Promise.all(parts.map((part) => here.services.receivedProcessor.processAll(part)))
  const { failed: _, ...sums } = sumsOf(reports)
  const answer = await here.dmarc()
  expect(answer.reports).toBe(20)
  expect(totals(answer)).toEqual(sums)
})

test('a report about another domain than its address is counted for nobody', async () => {
  const here = await worldWithReports()
  const other = await createDomain(here.projectApi, 'other.example')
  await receive(here, here.address, [pack('google', { ...reportOf(1), domain: 'other.example' }).mail])
  expect(await here.dmarc()).toMatchObject({ reports: 0, data: [] })
  expect((await here.projectApi.get(`domains/${other.id}/dmarc`)).body).toMatchObject({ reports: 0, data: [] })
  expect(await outcomes(here)).toEqual(['about another domain'])
})

test('sources are ours, a known sender’s or a stranger’s, as the DNS says', async () => {
  const here = await worldWithReports()
  Object.assign(here.dns.zones, {
    [`_spf.${SMTP_HOSTNAME}`]: { TXT: ['v=spf1 ip4:203.0.113.0/28 include:more.posthouse.test ~all'] },
    'more.posthouse.test': { TXT: ['v=spf1 ip6:2001:db8:5::/48 -all'] },
    '9.2.0.192.in-addr.arpa': { PTR: ['mail-9.google.com'] },
    'mail-9.google.com': { A: ['192.0.2.9'] },
    // Whoever owns an address can give it any name. This one does not lead back.
    '10.2.0.192.in-addr.arpa': { PTR: ['mail-10.google.com'] },
    '11.2.0.192.in-addr.arpa': { PTR: ['mx.somebody.example'] },
    'mx.somebody.example': { A: ['192.0.2.11'] },
    'spf.mtasv.net': { TXT: ['v=spf1 ip4:192.0.2.12 -all'] },
  })
  const addresses = ['203.0.113.7', '2001:db8:5::1', '192.0.2.9', '192.0.2.10', '192.0.2.11', '192.0.2.12']
  await receive(here, here.address, [
    pack(
      'google',
      reportWith(
        'r',
        addresses.map((source, at) => row(source, 100 - at)),
      ),
    ).mail,
  ])
  const kinds = async () => (await here.dmarc()).data.map(({ key, kind, name }) => [key, kind, name])
  // What is ours is known at once; the others are asked about by a job.
  expect((await kinds()).slice(0, 3)).toEqual([
    ['203.0.113.7', 'ours', SMTP_HOSTNAME],
    ['2001:db8:5::1', 'ours', SMTP_HOSTNAME],
    ['192.0.2.9', 'unknown', null],
  ])
  await here.services.domainReports.nameSources(new AbortController().signal)
  expect(await kinds()).toEqual([
    ['203.0.113.7', 'ours', SMTP_HOSTNAME],
    ['2001:db8:5::1', 'ours', SMTP_HOSTNAME],
    ['192.0.2.9', 'known', 'Google'],
    ['192.0.2.10', 'stranger', null],
    ['192.0.2.11', 'stranger', 'mx.somebody.example'],
    ['192.0.2.12', 'known', 'Postmark'],
  ])
})

test('a record of one’s own stays valid; one that asks us for reports needs the operator’s consent', async () => {
  const here = await worldWithReports()
  const verify = async () => (await here.projectApi.post<ShownDomain>(`domains/${here.domain.id}/verify`)).body
  const { zones } = here.dns
  const consent = `*._report._dmarc.${SMTP_HOSTNAME}`
  delete zones[consent]
  zones['_dmarc.posts.example'] = { TXT: ['v=DMARC1; p=reject; rua=mailto:me@posts.example'] }
  expect(recordOf(await verify(), 'dmarc')).toMatchObject({ status: 'verified', hint: null })
  delete zones['_dmarc.posts.example']
  publish(zones, [recordOf(here.domain, 'dmarc')])
  expect(recordOf(await verify(), 'dmarc')).toMatchObject({
    status: 'verified',
    hint: expect.stringContaining(consent),
  })
  zones[consent] = { TXT: ['v=DMARC1'] }
  expect(recordOf(await verify(), 'dmarc')).toMatchObject({ status: 'verified', hint: null })
})

test('TLS reports come for sending and receiving domains, each at its address', async () => {
  const here = await worldWithReports()
  const receiving = created(
    await here.projectApi.post<ShownDomain>('receiving/domains', { type: 'custom', name: 'in.example' }),
  )
  const wanted = recordOf(receiving, 'receiving-tls-reports')
  expect(wanted).toMatchObject({ name: '_smtp._tls.in.example', required: false })
  const [, address = ''] = /^v=TLSRPTv1; rua=mailto:(tls\+[0-9a-f]{32}@\S+)$/.exec(wanted.value) ?? []
  const tls = (domain: string) => ({
    'organization-name': 'Company-X',
    'date-range': { 'start-datetime': new Date(yesterday() * 1_000), 'end-datetime': new Date(yesterday() * 1_000) },
    'report-id': `about ${domain}`,
    policies: [
      {
        policy: { 'policy-type': 'sts', 'policy-domain': domain },
        summary: { 'total-successful-session-count': 10, 'total-failure-session-count': 2 },
        'failure-details': [
          { 'result-type': 'certificate-expired', 'receiving-mx-hostname': 'mx.in.example', 'failed-session-count': 2 },
        ],
      },
    ],
  })
  const mail = (domain: string): Buffer =>
    mailOf({
      filename: 'report.json',
      contentType: 'application/tlsrpt+json',
      reporter: 'Company-X',
      report: reportOf(1),
      file: Buffer.from(JSON.stringify(tls(domain))),
    })
  await receive(here, address, [mail('in.example'), mail('in.example'), mail('posts.example')])
  await receive(here, here.address, [mail('posts.example'), mail('bounce.posts.example')])
  const expected = {
    day: dayOf(yesterday()),
    reporter: 'Company-X',
    policy: 'sts',
    successful: 10,
    failed: 2,
    failures: [{ type: 'certificate-expired', host: 'mx.in.example', sessions: 2 }],
  }
  expect((await here.projectApi.get(`receiving/domains/${receiving.id}/tls-reports`)).body).toMatchObject({
    data: [expected],
    reports: 1,
  })
  expect((await here.projectApi.get(`domains/${here.domain.id}/tls-reports`)).body).toMatchObject({
    data: [{ ...expected, successful: 20, failed: 4, failures: [{ ...expected.failures[0], sessions: 4 }] }],
    reports: 2,
  })
})

test('a question without sense is refused with a sentence', async () => {
  const { projectApi, domain } = await worldWithReports()
  for (const query of [
    'from=2026-02-30',
    'from=2026-03-01&to=2026-02-01',
    'from=2020-01-01',
    'groupBy=country',
    'from=May',
  ]) {
    const answer = await projectApi.get(`domains/${domain.id}/dmarc?${query}`)
    expect(answer.status, query).toBe(400)
    expect(answer.body, query).toMatchObject({ code: 'validation_error' })
  }
})

test('old numbers are forgotten, with their reports', async () => {
  const here = await worldWithReports()
  const old = reportWith('old', [row('192.0.2.1', 1)], yesterday() - 740 * 86_400)
  await receive(here, here.address, [
    pack('google', old).mail,
    pack('google', reportWith('new', [row('192.0.2.1', 2)])).mail,
  ])
  const counts = () =>
    here.db.one(sql`
      select (select count(*) from dmarc_sums) as sums, (select count(*) from domain_reports) as reports`)
  expect(await counts()).toEqual({ sums: 2, reports: 2 })
  await here.services.domainReports.forget()
  expect(await counts()).toEqual({ sums: 1, reports: 1 })
})

test('what a mail to a report address cannot be read as is said in its outcome, and nothing is counted', async () => {
  const here = await worldWithReports()
  await hand(intakeOf(here), here.address)
  await processAll(here)
  expect(await outcomes(here)).toEqual(['there is no report in it'])
  expect(await here.dmarc()).toMatchObject({ reports: 0 })
})
