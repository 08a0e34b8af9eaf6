/** A person with a tag and several contacts: which of them a run mails. */
import { expect, test } from 'vitest'
import { decodeId } from '../../src/core/ids.ts'
import { sql } from '../../src/storage/sql.ts'
import { addContact, newAudience, newTag, runJobs, type ContactSeen } from '../support/audiences.ts'
import { mailsOf, mailStep, moveOn, newAutomation, runsOf } from '../support/automations.ts'
import type { Client } from '../support/client.ts'
import { moveClock } from '../support/clock.ts'
import { world, type World } from '../support/world.ts'

const ann = 'delivered+ann@simulator.posthouse.test'

/** Ann in two audiences, tagged, and inside of an automation as her first contact, with a mail to come. */
async function tagged(steps = [{ type: 'delay', duration: 'PT1H' }, mailStep('Hello')]) {
  const here = await world()
  const { projectApi } = here
  const tag = await newTag(projectApi, 'trial')
  const { id } = await newAutomation(projectApi, { trigger: { type: 'tag', tagId: tag }, steps })
  const first = await addContact(projectApi, await newAudience(projectApi), ann, { firstName: 'Ann' })
  const second = await addContact(projectApi, await newAudience(projectApi, 'Others'), ann, { firstName: 'Anna' })
  await projectApi.post(`contact-tags/${tag}/contacts`, { email: ann })
  await moveOn(here)
  expect(await runsOf(projectApi, id)).toMatchObject([{ contactId: first.id, status: 'waiting' }])
  return { ...here, id, first, second }
}

const pathOf = ({ audienceId, id }: ContactSeen) => `audiences/${audienceId}/contacts/${id}`

const departures: Record<string, (client: Client, contact: ContactSeen) => Promise<unknown>> = {
  unsubscribed: (client, contact) => client.patch(pathOf(contact), { subscribed: false }),
  'deleted as a contact': (client, contact) => client.delete(pathOf(contact)),
  'deleted with the audience': (client, { audienceId }) => client.delete(`audiences/${audienceId}`),
}

async function anHourLater(here: World): Promise<void> {
  await runJobs(here)
  await moveClock(here.db, 3_601)
  await moveOn(here)
}

const namesMailed = async ({ db }: World): Promise<string[]> => {
  const mails = await db.all(sql<{ name: string }>`
    select options #>> '{contact,firstName}' as name from emails where run_id is not null`)
  return mails.map(({ name }) => name)
}

test.each(Object.keys(departures))('who is %s in one audience is mailed as who they are in another', async (how) => {
  const here = await tagged()
  const { projectApi, id, first, second } = here
  await departures[how]!(projectApi, first)
  const [held] = await runsOf(projectApi, id)
  expect(held).toMatchObject({ status: 'waiting', email: ann })
  await anHourLater(here)
  expect(await runsOf(projectApi, id)).toMatchObject([{ status: 'completed', contactId: second.id, email: ann }])
  expect(await namesMailed(here)).toEqual(['Anna'])
})

test.each(Object.keys(departures))('who is %s in every audience gets no further', async (how) => {
  const here = await tagged()
  const { projectApi, id, first, second } = here
  // In the same moment, so that neither sees what the other does.
  await Promise.all([first, second].map((contact) => departures[how]!(projectApi, contact)))
  await anHourLater(here)
  expect(await runsOf(projectApi, id)).toMatchObject([{ status: 'stopped' }])
  expect(await mailsOf(here.db)).toEqual([])
})

test('mail that was made for the contact that has left is not sent', async () => {
  const here = await tagged([mailStep('Now'), { type: 'delay', duration: 'PT1H' }, mailStep('Later')])
  const { projectApi, db, services, id, first } = here
  await departures['unsubscribed']!(projectApi, first)
  const allowed = await db.all(sql`select from deliveries q where ${services.deliveries.mayBegin}`)
  expect(allowed).toEqual([])
  await anHourLater(here)
  expect(await runsOf(projectApi, id)).toMatchObject([{ status: 'completed' }])
  expect(await db.all(sql`select from deliveries q where ${services.deliveries.mayBegin}`)).toHaveLength(1)
})

test('whoever unsubscribes by a link in one of its mails gets no further, whatever else they are subscribed to', async () => {
  const here = await tagged([mailStep('Now'), { type: 'delay', duration: 'PT1H' }, mailStep('Later')])
  const { projectApi, services, id } = here
  const [run] = await runsOf(projectApi, id)
  const emailId = decodeId('em', run!.results[0]!.emailId!)!
  await services.preferences.leave({ emailId, position: 0 }, 'the unsubscribe page')
  expect(await runsOf(projectApi, id)).toMatchObject([{ status: 'stopped', stopReason: 'unsubscribed' }])
})

test.each(Object.keys(departures))(
  'also who was %s before, while the run went on with another contact',
  async (how) => {
    const here = await tagged([mailStep('Now'), { type: 'delay', duration: 'PT1H' }, mailStep('Later')])
    const { projectApi, services, id, first, second } = here
    const [run] = await runsOf(projectApi, id)
    const emailId = decodeId('em', run!.results[0]!.emailId!)!
    await departures[how]!(projectApi, first)
    await runJobs(here)
    expect(await runsOf(projectApi, id)).toMatchObject([{ status: 'waiting', contactId: second.id }])
    await services.preferences.leave({ emailId, position: 0 }, 'one click in the mail program')
    expect(await runsOf(projectApi, id)).toMatchObject([{ status: 'stopped', stopReason: 'unsubscribed' }])
  },
)
