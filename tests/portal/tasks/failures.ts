import { expect } from 'vitest'
import { mailWorld } from '../../support/mail-world.ts'
import { comeIn } from '../support/people.ts'
import type { Task } from './task.ts'

const cases = {
  failed: {
    reply: '550 5.1.1 User unknown here',
    status: 'bounced',
    title: 'No such mailbox',
    whose: 'It is up to the recipient.',
    advice: /Check the address for a spelling mistake/,
  },
  deferred: {
    reply: '451 4.7.1 Greylisted, come back later',
    status: 'deferred',
    title: 'The server asks every new sender to come again',
    whose: 'It is up to those who run the receiving server.',
    advice: /we try again by ourselves/,
  },
} as const

const seesWhatWasSaid = (kind: keyof typeof cases): Task => ({
  what: `3: from a ${kind} email, what was said, whose it is and what to do`,
  clicks: 1,
  prepare: async () => {
    const { reply, status, title, whose, advice } = cases[kind]
    const here = await mailWorld()
    return async (way) => {
      const { visitor: ann } = await comeIn(here, { role: 'owner' }, way)
      // An address that bounced gets no more mail, so each way has its own.
      const to = `${way.by}-${way.screen}@sink.test`
      here.sink.options.replies = { ...here.sink.options.replies, [`rcpt ${to}`]: reply }
      const id = await here.send(to, { subject: 'Your order' })
      await here.becomes(id, status)
      await ann.open(`/p/${here.projectId}/emails/${id}`)
      await ann.heading('Your order').waitFor()
      return {
        visitor: ann,
        steps: async (hand) => {
          for (const words of [title, whose, advice]) await ann.text(words).waitFor()
          expect(ann.input).toMatchObject({ clicks: 0, keys: 0 })
          await hand.press(ann.button('What was said'))
          const dialogue = ann.page.getByRole('list', { name: 'What the servers said to each other' })
          await hand.sees(dialogue.getByText(reply))
          await hand.sees(dialogue.getByText(`RCPT TO:<${to}>`))
        },
        outcome: async () => {
          await ann.text(/mx\.sink\.test \[127\.0\.0\.1\] · not encrypted/).waitFor()
          expect((await here.email(id)).status).toBe(status)
        },
      }
    }
  },
})

export const seesWhyItFailed = seesWhatWasSaid('failed')
export const seesWhyItWaits = seesWhatWasSaid('deferred')
