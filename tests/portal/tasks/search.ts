import { expect } from 'vitest'
import { mailWorld } from '../../support/mail-world.ts'
import { comeIn } from '../support/people.ts'
import type { Task } from './task.ts'

export const findsAnAddress: Task = {
  what: '2: everything about an address is found',
  clicks: 2,
  prepare: async () => {
    const here = await mailWorld()
    const email = '550-5.1.1@sink.test'
    const id = await here.send(email, { subject: 'Your order' })
    await here.becomes(id, 'bounced')
    return async (way) => {
      const { visitor: ann } = await comeIn(here, { role: 'viewer', project: here.projectId }, way)
      await ann.open(`/p/${here.projectId}/overview`)
      await ann.heading('Overview').waitFor()
      return {
        visitor: ann,
        steps: async (hand) => {
          const field = ann.page.getByRole('combobox', { name: 'Search', exact: true })
          if (way.by === 'keyboard') await ann.press('ControlOrMeta+k')
          else await hand.press(ann.button('Search'))
          await field.waitFor()
          await ann.page.keyboard.insertText(email)
          const first = ann.page.getByRole('option').first()
          await ann.page.getByRole('option', { name: `Everything about ${email}` }).waitFor()
          if (way.by === 'keyboard') await ann.press('Enter')
          else await hand.press(first)
          await hand.arrives(email)
          await hand.sees(ann.table('Emails to this address').getByText('Bounced'))
          await hand.sees(ann.text('The address does not work: mail to it came back for good.'))
        },
        outcome: async () => {
          // The two keys of ⌘K, and Enter.
          if (way.by === 'keyboard') expect(ann.input.keys).toBeLessThanOrEqual(3)
          const { body } = await here.projectApi.get<{ emails: object }>(`addresses/${email}`)
          expect(body).toMatchObject({ suppression: { reason: 'bounce' }, emails: { counts: { bounced: 1 } } })
        },
      }
    }
  },
}
