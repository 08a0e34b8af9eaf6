import { expect, test } from 'vitest'
import { decodeId } from '../../src/core/ids.ts'
import { sql } from '../../src/storage/sql.ts'
import { addContact, newAudience, runJobs } from '../support/audiences.ts'
import { newBroadcast, reconciliation, sendBroadcast } from '../support/broadcasts.ts'
import { at } from '../support/emails.ts'
import { eventually } from '../support/eventually.ts'
import { world, type World } from '../support/world.ts'
import { linksOf, pathOf } from './link-world.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
const SCANNER = 'Barracuda Sentinel (EE)'

/** A broadcast to some readers, with a click of each on a link when asked. */
async function followed(here: World, ...names: string[]) {
  const { projectApi, api, db } = here
  const audience = await newAudience(projectApi)
  for (const name of names) await addContact(projectApi, audience, at(name))
  const broadcast = await sendBroadcast(
    projectApi,
    await newBroadcast(projectApi, audience, { tracking: { clicks: true } }),
  )
  await runJobs(here)
  const emails = new Map((await reconciliation(projectApi, broadcast)).map(({ email, emailId }) => [email, emailId]))
  let clicks = 0
  const click = async (name: string, url: string, agent = BROWSER): Promise<void> => {
    const emailId = decodeId('em', emails.get(at(name))!)!
    const link = linksOf(here).click({ emailId, position: 0, trackingHost: null }, url)
    const reply = await api.with(undefined).request('GET', pathOf(link!), { headers: { 'user-agent': agent } })
    expect(reply.status).toBe(302)
    clicks++
    // One by one: what a reader follows within a second is a scanner's doing.
    await eventually('the click is counted', async () => {
      const { sum } = await db.one(sql<{ sum: number }>`
        select coalesce(sum(clicks + machine_clicks), 0)::int as sum from engagements`)
      return sum === clicks
    })
  }
  const links = async () => (await projectApi.get<{ data: object[] }>(`broadcasts/${broadcast.id}/links`)).body.data
  return { click, links }
}

test('links are listed with how many people followed them and how often, without machines', async () => {
  const here = await world()
  const { click, links } = await followed(here, 'ann', 'bob')
  expect(await links()).toEqual([])
  await click('ann', 'https://shop.example/a')
  await click('ann', 'https://shop.example/a')
  await click('bob', 'https://shop.example/a')
  await click('bob', 'https://shop.example/b?x=1#y')
  await click('bob', 'https://shop.example/c', SCANNER)
  expect(await links()).toEqual([
    { url: 'https://shop.example/a', people: 2, clicks: 3 },
    { url: 'https://shop.example/b?x=1#y', people: 1, clicks: 1 },
  ])
})

test('a mail with a link of its own for every reader is not counted without end', async () => {
  const here = await world()
  const { click, links } = await followed(here, 'ann', 'bob')
  await click('ann', 'https://shop.example/known')
  await here.db.run(sql`
    insert into broadcast_links (broadcast_id, link, url, people, clicks)
    select broadcast_id, n, 'https://shop.example/' || n, 1, 1
      from broadcast_links cross join generate_series(1, 999) as n`)
  await click('bob', 'https://shop.example/one-too-many')
  await click('bob', 'https://shop.example/known')
  const found = await links()
  expect(found).toHaveLength(1_000)
  expect(found[0]).toEqual({ url: 'https://shop.example/known', people: 2, clicks: 2 })
})
