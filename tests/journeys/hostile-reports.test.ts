/** Reports by the real mail server: two hundred as reporters send them, among a thousand that are broken or hostile. */
import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { formats, pack, reportOf, sumsOf } from '../support/aggregate-reports.ts'
import { addressIn, totals, type DmarcAnswer } from '../support/domain-reports.ts'
import { createDomain } from '../support/domains.ts'
import { eventually, stretched } from '../support/eventually.ts'
import { isBroken, malformed } from '../support/malformed-reports.ts'
import { hand, intakeOf, receivingWorld } from '../support/receiving.ts'

const MALFORMED = 1_000
const GOOD = 200
const AT_ONCE = 20

test('all good reports are counted, no other one is, and letters in between arrive', async () => {
  const here = await receivingWorld()
  const domain = await createDomain(here.projectApi, 'posts.example')
  const to = addressIn(domain)
  const elsewhere = addressIn(await createDomain(here.projectApi, 'elsewhere.example'))
  const inbox = await here.managedDomain()
  // A day has fewer messages for one domain than this test sends.
  const withoutLimit = (): Promise<unknown> => here.db.run(sql`delete from received_daily`)
  const good = Array.from({ length: GOOD }, (_, seed) => pack(formats[seed % formats.length]!, reportOf(seed)))
  const intake = intakeOf(here)
  for (let seed = 0; seed < MALFORMED; seed += 1) {
    if (seed % AT_ONCE === 0) await withoutLimit()
    const { what, mail } = malformed(seed)
    // What may be read after all comes for another domain.
    await hand(intake, isBroken(what) ? to : elsewhere, mail)
    if (seed % 5 === 0) await here.deliver(good[seed / 5]!.mail, { to })
    if (seed % 100 === 0) await here.mail({ to: `person${seed}@${inbox}`, subject: 'lunch?', text: 'At noon?' })
  }
  await eventually(
    'all are read',
    async () => (await here.db.all(sql`select from received_messages where state = 'unread' limit 1`)).length === 0,
    stretched(600_000),
  )
  const answer = (await here.projectApi.get<DmarcAnswer>(`domains/${domain.id}/dmarc`)).body
  expect(answer.reports).toBe(GOOD)
  const { failed: _, ...sums } = sumsOf(good.map(({ report }) => report))
  expect(totals(answer)).toEqual(sums)
  for (let seed = 0; seed < MALFORMED; seed += 100) {
    expect((await here.arrived(`person${seed}@${inbox}`)).subject).toBe('lunch?')
  }
  expect(await here.db.all(sql`select from received_messages where state = 'unreadable'`)).toEqual([])
  expect(here.logs.filter((line) => line.includes('parser thread ended'))).toEqual([])
}, 1_800_000)
