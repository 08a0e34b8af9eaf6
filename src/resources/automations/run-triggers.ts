/** Starts and stops runs when contacts and tags change, in the transaction of that change. */
import { newId, type AudienceId, type ContactId, type ProjectId, type RunId, type TagId } from '../../core/ids.ts'
import type { Tx } from '../../storage/postgres.ts'
import type { ContactHooks } from '../contacts/index.ts'
import * as store from './store/runs.ts'

type Departure = Parameters<ContactHooks['left']>[4]

/** Needs one statement, and one more for each automation that begins with the audience, for any number of people. */
export async function startJoined(
  tx: Tx,
  project: ProjectId,
  audienceId: AudienceId,
  members: readonly { id: ContactId; email: string }[],
): Promise<void> {
  for (const automation of await store.holdTriggered(tx, project, { audienceId })) {
    const beginners = members.map(({ id, email }) => ({ id: newId<'run'>(), contactId: id, email }))
    await store.start(tx, project, automation, null, beginners)
  }
}

/** Only people with a contact that is subscribed can be mailed. */
export async function startTagged(tx: Tx, project: ProjectId, tagId: TagId, emails: readonly string[]): Promise<void> {
  const automations = await store.holdTriggered(tx, project, { tagId })
  if (automations.length === 0) return
  const people = await store.mailable(tx, project, emails)
  for (const automation of automations) {
    const beginners = people.map((person) => ({ id: newId<'run'>(), ...person }))
    await store.start(tx, project, automation, tagId, beginners)
  }
}

export async function stopLeft(
  tx: Tx,
  project: ProjectId,
  members: readonly { id: ContactId }[],
  because: Departure,
): Promise<void> {
  const ids = members.map(({ id }) => id)
  await store.handOver(tx, project, ids)
  if (because === 'unsubscribed') await store.stopOf(tx, project, ids, 'unsubscribed')
  else {
    const reason = because === 'audience_deleted' ? 'left_audience' : 'contact_deleted'
    await store.stopAndForget(tx, project, ids, reason)
  }
}

/** Stops the run whose mail had the link that the person followed. */
export async function stopUnwanted(tx: Tx, project: ProjectId, run: RunId): Promise<void> {
  await store.stopOne(tx, project, run, 'unsubscribed')
}

export async function stopUntagged(tx: Tx, project: ProjectId, tag: TagId, emails: readonly string[]): Promise<void> {
  await store.stopUntagged(tx, project, tag, emails)
}
