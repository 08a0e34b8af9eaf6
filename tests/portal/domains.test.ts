import { expect, test } from 'vitest'
import { createDomain, publish, type ShownDomain } from '../support/domains.ts'
import { mailWorld } from '../support/mail-world.ts'
import { comeIn } from './support/people.ts'

test('what was seen instead is marked, the host of the zone is named, and the next DMARC record is written', async () => {
  const here = await mailWorld({ bare: true })
  const { id } = await createDomain(here.projectApi, 'shop.example')
  here.dns.zones['shop.example'] = { NS: ['ns1.desec.io'] }
  here.dns.zones['bounce.shop.example'] = { TXT: ['v=spf1 include:_spf.google.com ~all'] }
  here.dns.zones['_dmarc.shop.example'] = { TXT: ['v=DMARC1; p=reject; pct=20; rua=mailto:a@shop.example'] }
  const { visitor: ann } = await comeIn(here, { role: 'owner' }, { screen: 'narrow' })
  await ann.open(`/p/${here.projectId}/domains/${id}`)
  await ann.page.locator('mark').filter({ hasText: 'google.com' }).waitFor()
  await ann.text(/^The zone is hosted by deSEC/).waitFor()
  await ann.text('v=DMARC1; p=reject; rua=mailto:a@shop.example').waitFor()
  // Both cards about DMARC name the same step.
  await expect.poll(() => ann.text(/^The policy holds for a part of the mail only/).count()).toBe(2)
  await ann
    .text(new RegExp(`^Said by ${here.dns.address}`))
    .first()
    .waitFor()
  const file = ann.page.waitForEvent('download')
  await ann.button('Download the zone file').click()
  expect((await file).suggestedFilename()).toBe('shop.example.zone.txt')
  await ann.button('Text to send').click()
  await ann.page
    .getByRole('region', { name: 'Text to send' })
    .getByText(/Name: bounce\.shop\.example/)
    .waitFor()
  expect(await ann.sideways()).toEqual([])
})

test('a domain is tracked, its key rotated and itself deleted; whoever may only look sees no button for it', async () => {
  const here = await mailWorld()
  const { body } = await here.projectApi.get<{ data: ShownDomain[] }>('domains')
  const { id, name } = body.data[0]!
  const domain = async () => (await here.projectApi.get<ShownDomain>(`domains/${id}`)).body
  const { visitor: guest } = await comeIn(here, { role: 'viewer' })
  await guest.open(`/p/${here.projectId}/domains/${id}`)
  await guest.heading('DKIM keys').waitFor()
  for (const button of ['Look now', 'Rotate', 'Save']) expect(await guest.button(button).count(), button).toBe(0)

  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  await ann.open(`/p/${here.projectId}/domains/${id}`)
  await ann.page.getByRole('switch', { name: 'Clicks' }).click()
  await ann.field('Host of the links').fill('elsewhere.example')
  await ann.button('Save').click()
  await ann
    .text(/below posts\.example/i)
    .last()
    .waitFor()
  await ann.field('Host of the links').fill(`links.${name}`)
  await ann.button('Save').click()
  await ann.heading('Links in mail').waitFor()
  expect((await domain()).tracking).toEqual({ opens: false, clicks: true, host: `links.${name}` })

  await ann.button('Rotate').click()
  await ann.button('Make a new key').click()
  await ann.text('Waits for its record').waitFor()
  const { records } = await domain()
  publish(
    here.dns.zones,
    records.filter(({ status }) => status !== 'verified'),
  )
  await ann.button('Look now').click()
  await ann.text('Signs no more').waitFor()
  expect((await domain()).dkim.map(({ state }) => state)).toEqual(['retired', 'active'])

  await ann.press('.')
  await ann.menuItem('Delete').click()
  await ann.dialog(`Delete ${name}?`).getByRole('textbox').fill(name)
  await ann.dialog(`Delete ${name}?`).getByRole('button', { name: 'Delete', exact: true }).click()
  await ann.text('No domain yet').waitFor()
  expect((await here.projectApi.get(`domains/${id}`)).status).toBe(404)
})

test('a domain shows what became of its mail by provider; a share above our limits is marked', async () => {
  const here = await mailWorld()
  const { body } = await here.projectApi.get<{ data: ShownDomain[] }>('domains')
  const { id } = body.data[0]!
  const quiet = await createDomain(here.projectApi, 'quiet.example')
  const { visitor: ann } = await comeIn(here, { role: 'viewer', project: here.projectId }, { screen: 'narrow' })
  await ann.open(`/p/${here.projectId}/domains/${quiet.id}`)
  await ann.text('No mail was sent from this domain in this time.').waitFor()
  await here.becomes(await here.send('ann@sink.test'), 'delivered')
  await here.becomes(await here.send('550-5.1.1@sink.test'), 'bounced')
  await ann.open(`/p/${here.projectId}/domains/${id}`)
  const table = ann.table('Deliverability')
  await table.waitFor()
  const rows = await table
    .getByRole('row')
    .filter({ has: ann.page.getByRole('cell') })
    .all()
  const shown = await Promise.all(rows.map((row) => row.getByRole('cell').allInnerTexts()))
  expect(shown.map(([provider, accepted, , bounced, complaints]) => [provider, accepted, bounced, complaints])).toEqual(
    [
      ['All providers', '2', '50%', '0%'],
      ['Everybody else', '2', '50%', '0%'],
    ],
  )
  await table.getByRole('img', { name: 'Delivered 1, deferred 0, bounced, failed or spam 1' }).first().waitFor()
  await ann.text(/^Keep bounces below 2% and complaints below 0\.1%/).waitFor()
  expect(await ann.sideways()).toEqual([])
})
