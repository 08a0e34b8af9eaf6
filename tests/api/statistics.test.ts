import { expect, test } from 'vitest'
import { offsetOf } from '../../src/template/filters/time-zone.ts'
import { percentile } from '../../src/resources/statistics/latency.ts'
import { boundaries } from '../../src/resources/statistics/periods.ts'
import { sql } from '../../src/storage/sql.ts'
import { stopClock } from '../support/clock.ts'
import { eventually } from '../support/eventually.ts'
import { answers, startReceiver } from '../support/receiver.ts'
import { foldNow, mailKinds, type Counts, type MailNumbers } from '../support/statistics.ts'
import { webhookWorld } from '../support/webhooks.ts'
import { tenants, world } from '../support/world.ts'

const tenant = tenants()

const HOUR = 3_600_000

const around = (now = Date.now()): string =>
  `from=${new Date(now - HOUR).toISOString()}&to=${new Date(now + HOUR).toISOString()}`

const counts = (some: Counts): Counts => ({ ...Object.fromEntries(mailKinds.map((kind) => [kind, 0])), ...some })

test('what became of mail is counted, each thing that happens to a recipient once, before and after it is moved', async () => {
  const here = await webhookWorld()
  const { projectApi, send, becomes, config } = here
  const delivered = await send('delivered')
  const complained = await send('complained')
  const bounced = await send('bounced', { tags: { kind: 'welcome' } })
  await becomes(delivered, 'delivered')
  await becomes(complained, 'filteredspam')
  await becomes(bounced, 'bounced')
  const read = async (more = ''): Promise<MailNumbers> =>
    (await projectApi.get<MailNumbers>(`statistics/emails?${around()}${more}`)).body
  // A complaint follows a delivery, and both happened.
  const all = counts({ accepted: 3, delivered: 2, bounced: 1, filteredspam: 1 })
  for (const moved of [false, true]) {
    if (moved) await foldNow(here)
    const found = await read()
    expect(found.totals, `moved: ${moved}`).toEqual(all)
    expect(found.waiting).toEqual({ recipients: 0, isMore: false, oldestAt: null })
    expect(found.series).toHaveLength(1)
    expect(found.latency.p50).toBeLessThan(60_000)
    expect((await read('&tag=kind:welcome')).totals).toEqual(counts({ accepted: 1, bounced: 1 }))
    expect((await read('&groupBy=tag')).series.map(({ key, totals }) => [key, totals['bounced']])).toEqual([
      ['kind:welcome', 1],
    ])
    const bySource = await read('&groupBy=source&step=day&points=none')
    expect(bySource.series).toMatchObject([{ key: 'transactional', totals: all, points: [] }])
    // The sandbox is no domain of the project, and the simulator none of the large receivers.
    expect((await read('&groupBy=domain')).series).toMatchObject([{ key: null, totals: all }])
    expect((await read('&groupBy=provider')).series).toMatchObject([{ key: 'other', totals: all }])
  }
  // What comes later is added to what was moved before, whatever the step.
  await becomes(await send('delivered'), 'delivered')
  await foldNow(here)
  for (const step of ['minute', 'hour', 'day']) {
    expect((await read(`&step=${step}`)).totals, step).toEqual(counts({ ...all, accepted: 4, delivered: 3 }))
  }
  const left = await here.db.all(sql`select from statistics_added`)
  expect(left).toEqual([])
  expect(config.retainStatisticsDays).toBe(730)
})

test('attempts to tell an endpoint are counted with how they ended and how long they took', async () => {
  const receiver = await startReceiver({ behaviour: answers(500) })
  const here = await webhookWorld()
  const { endpoint, send, delivery, projectApi } = here
  const hook = await endpoint(receiver.url, { events: ['email.delivered'] })
  const other = await endpoint(receiver.url, { events: ['email.clicked'] })
  await send('delivered')
  await delivery(hook, 'tried once', ({ attempts }) => attempts.length === 1)
  receiver.behave(answers(200))
  await here.advance({ minutes: 10 })
  const { attempts } = await delivery(hook, 'delivered', ({ status }) => status === 'delivered')
  const first = Date.parse(attempts[0]!.at)
  const ask = async (more: string) =>
    (
      await projectApi.get<{ totals: object; series: { key: string | null; points: Counts[] }[] }>(
        `statistics/webhooks?${around(first)}&step=minute${more}`,
      )
    ).body
  for (const moved of [false, true]) {
    if (moved) await foldNow(here)
    const { totals, series } = await eventually('both attempts are counted', async () => {
      const found = await ask(`&endpointId=${hook.id}`)
      return (found.totals as Counts)['attempts'] === 2 && found
    })
    expect(totals).toMatchObject({ delivered: 1, failed: 0, attempts: 2, p95Ms: expect.any(Number) })
    expect(series).toHaveLength(1)
    const busy = series[0]!.points.filter((point) => point['attempts'] !== 0)
    expect(busy.map((point) => point['attempts'])).toEqual([1, 1])
    expect(busy.every((point) => point['p95Ms']! >= 0)).toBe(true)
    expect((await ask(`&endpointId=${other.id}`)).totals).toEqual({ delivered: 0, failed: 0, attempts: 0, p95Ms: null })
    expect((await ask('')).totals).toEqual(totals)
  }
})

test('a question that asks too much, or for what cannot be, is refused with a way out', async () => {
  const { projectApi } = await tenant()
  const refusals: [string, string, RegExp][] = [
    ['from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z', '/query/to', /later than from/],
    ['from=2023-01-01T00:00:00Z&to=2026-01-01T00:00:00Z&step=day', '/query/to', /732 days/],
    ['from=2026-01-01T00:00:00Z&to=2026-11-01T00:00:00Z', '/query/step', /by day/],
    ['from=2026-01-01T00:00:00Z&to=2026-01-09T00:00:00Z&step=minute', '/query/step', /by hour/],
    ['from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z&step=minute', '/query/from', /by hour/],
    ['from=2021-01-01T00:00:00Z&to=2021-01-02T00:00:00Z', '/query/from', /by day/],
    ['from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z&timeZone=Atlantis', '/query/timeZone', /time zone/],
    ['from=2026-11-01T00:00:00Z&to=2026-11-02T00:00:00Z&timeZone=%2B05:17', '/query/timeZone', /quarters of an hour/],
    ['from=1850-01-01T00:00:00Z&to=1850-01-01T01:00:00Z&timeZone=Europe/Berlin', '/query/timeZone', /quarters/],
  ]
  for (const path of ['emails', 'webhooks']) {
    for (const [query, where, message] of refusals) {
      expect(await projectApi.get(`statistics/${path}?${query}`), `${path} ${query}`).toMatchObject({
        status: 400,
        body: { code: 'validation_error', details: [{ path: where, message: expect.stringMatching(message) }] },
      })
    }
  }
  expect((await projectApi.get(`statistics/emails?${around()}&domainId=nonsense`)).status).toBe(404)
  const unknown = 'dom_00000000000000000000000001'
  expect((await projectApi.get(`statistics/emails?${around()}&domainId=${unknown}`)).status).toBe(404)
})

test('series that are too many together are refused', async () => {
  const { projectApi, projectId, db } = await tenant()
  await db.run(sql`
    insert into statistics_added (project_id, at, domain_id, provider, source, template_id, tag, kind, recipients)
    select id, date_trunc('minute', now()), gen_random_uuid(), 'other', 'transactional', gen_random_uuid(), '', 'accepted', 1
      from projects, generate_series(1, 41)
     where id = (select id from projects order by created_at desc limit 1)`)
  expect(projectId).toMatch(/^prj_/)
  const month = `from=${new Date(Date.now() - 31 * 24 * HOUR).toISOString()}&to=${new Date().toISOString()}`
  expect(await projectApi.get(`statistics/emails?${month}&groupBy=domain`)).toMatchObject({
    status: 400,
    body: { details: [{ path: '/query/groupBy', message: expect.stringMatching(/shorter time/) }] },
  })
  expect(
    (await projectApi.get<MailNumbers>(`statistics/emails?${month}&groupBy=domain&step=day`)).body.series,
  ).toHaveLength(41)
})

test('a project is counted by a bounded number of tags', async () => {
  const here = await world()
  const { projectApi, db } = here
  const add = (from: number, to: number) =>
    db.run(sql`
      insert into statistics_added (project_id, at, domain_id, provider, source, template_id, tag, kind, recipients)
      select id, date_trunc('minute', now()), gen_random_uuid(), 'other', 'transactional', gen_random_uuid(),
             'order:' || n, 'accepted', 1
        from projects, generate_series(${from}::int, ${to}::int) as n`)
  await add(1, 1_500)
  await foldNow(here)
  await add(990, 1_600)
  const series = async () =>
    (await projectApi.get<MailNumbers>(`statistics/emails?${around()}&groupBy=tag&points=none`)).body.series
  const before = await series()
  await foldNow(here)
  expect(await series()).toEqual(before)
  expect(before).toHaveLength(1_000)
  expect(await db.all(sql`select from statistics_tags`)).toHaveLength(1_000)
})

test('old counts by hour are forgotten; by day they stay', async () => {
  const here = await world({ env: { RETAIN_STATISTICS_DAYS: '7' } })
  const { db, projectApi, services } = here
  const at = Date.UTC(2026, 2, 1, 10)
  const ask = (step: string) =>
    projectApi.get<MailNumbers>(`statistics/emails?from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z&step=${step}`)
  await stopClock(db, at)
  const sent = await projectApi.post('email/send', {
    from: here.config.sandboxSender,
    to: `delivered@${here.config.simulatorDomain}`,
    subject: 'Hi',
    text: 'Hi',
  })
  expect(sent.status).toBe(202)
  await foldNow(here)
  expect((await ask('hour')).body.series[0]?.points[10]).toMatchObject({ accepted: 1 })
  await stopClock(db, at + 9 * 24 * HOUR)
  await services.statistics.forgetOld(new AbortController().signal)
  for (const table of ['minutes', 'quarters', 'hours'])
    expect(
      await db.withClient(async (client) => (await client.query(`select from statistics_${table}`)).rowCount),
    ).toBe(0)
  expect((await ask('hour')).status).toBe(400)
  expect((await ask('day')).body.series[0]?.points).toMatchObject([{ accepted: 1 }])
})

test('days and hours begin where the clocks of the zone say so', () => {
  const days = (zone: string, from: string, to: string) =>
    boundaries('day', zone, Date.parse(from), Date.parse(to), 100)?.map((at) => new Date(at).toISOString())
  // The day has 25 hours.
  expect(days('Europe/Zurich', '2026-10-25T09:00:00Z', '2026-10-25T10:00:00Z')).toEqual([
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
  ])
  // Clocks go on at midnight, so the day begins at one o'clock.
  expect(days('Africa/Cairo', '2026-04-24T09:00:00Z', '2026-04-24T10:00:00Z')).toEqual([
    '2026-04-23T22:00:00.000Z',
    '2026-04-24T21:00:00.000Z',
  ])
  expect(offsetOf('Australia/Lord_Howe', Date.UTC(2026, 0)).minutes).toBe(660)
  const hours = boundaries('hour', 'Australia/Lord_Howe', Date.UTC(2026, 3, 4, 14, 30), Date.UTC(2026, 3, 4, 16), 100)
  // Clocks are put back by half an hour at 15:00 UTC: that hour is longer.
  expect(hours?.map((at) => new Date(at).toISOString().slice(11, 16))).toEqual(['14:00', '15:30', '16:30'])
})

test('percentiles lie inside of the class that has them', () => {
  const ends = [10, 20, 40]
  expect(percentile([0, 0, 0], ends, 0.5)).toBe(null)
  expect(percentile([4, 0, 0], ends, 0.5)).toBe(5)
  expect(percentile([1, 0, 1], ends, 0.95)).toBe(38)
  expect(percentile([1, 2, 1], ends, 1)).toBe(40)
})
