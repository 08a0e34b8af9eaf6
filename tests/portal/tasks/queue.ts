import { expect } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { mailWorld } from '../../support/mail-world.ts'
import { destinationOf } from '../../support/queue.ts'
import { comeIn } from '../support/people.ts'
import type { Task } from './task.ts'

const SITE = 'mx.sink.test'
const REPLY = '450 4.7.1 Greylisted, please try again later'

/** From the overview: one click to see it, two to pause, one to resume. */
export const pausesAndResumes: Task = {
  what: '14: why mail to a provider waits is seen, the destination paused and resumed',
  clicks: 4,
  prepare: async () => {
    const here = await mailWorld({ sink: { replies: { 'rcpt later@sink.test': REPLY } } })
    await here.becomes(await here.send('later@sink.test'), 'deferred')
    const seen = () => destinationOf(here.db, here.projectApi, SITE)
    await eventually('the worker has told why', async () => (await seen()).replies.length > 0)
    return async (way) => {
      const { visitor: ann, person } = await comeIn(here, { role: 'developer', project: here.projectId }, way)
      await ann.open(`/p/${here.projectId}/overview`)
      await ann.heading('Overview').waitFor()
      const queue = ann.table('Queue')
      return {
        visitor: ann,
        steps: async (hand) => {
          await hand.goTo('Queue')
          await hand.sees(queue.getByText(REPLY))
          await hand.sees(queue.getByText('Slowed'))
          await hand.press(queue.getByRole('button', { name: 'Pause', exact: true }))
          const dialog = ann.dialog(`Pause mail to ${SITE}`)
          await hand.write(dialog.getByLabel('Why'), 'Waiting for their postmaster')
          await hand.press(dialog.getByRole('button', { name: 'Pause', exact: true }))
          await hand.sees(queue.getByText('Paused by you'))
          expect(await seen()).toMatchObject({
            state: 'paused',
            paused: { because: 'Waiting for their postmaster', by: { id: person.id }, everywhere: false },
          })
          await hand.press(queue.getByRole('button', { name: 'Resume', exact: true }))
          await hand.sees(queue.getByRole('button', { name: 'Pause', exact: true }))
        },
        outcome: async () => expect(await seen()).toMatchObject({ paused: null, waiting: 1 }),
      }
    }
  },
}
