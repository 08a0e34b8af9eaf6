import { expect } from 'vitest'
import { mailWorld } from '../../support/mail-world.ts'
import { comeIn } from '../support/people.ts'
import type { Task } from './task.ts'

const tasks = { same: 'to the same address', corrected: 'to a corrected address' } as const

const sendsAgain = (where: keyof typeof tasks): Task => ({
  what: `4: an email is sent again, ${tasks[where]}`,
  clicks: 2,
  prepare: async () => {
    const here = await mailWorld()
    return async (way) => {
      const { visitor: ann } = await comeIn(here, { role: 'owner' }, way)
      // An address that bounced gets no more mail, so each way has its own.
      const to = where === 'same' ? 'ann@sink.test' : `550-5.1.1@${way.by}.${way.screen}.sink.test`
      const id = await here.send(to, { subject: 'Your order' })
      await here.becomes(id, where === 'same' ? 'delivered' : 'bounced')
      await ann.open(`/p/${here.projectId}/emails/${id}`)
      await ann.heading('Your order').waitFor()
      return {
        visitor: ann,
        steps: async (hand) => {
          await hand.press(ann.button('Send again'))
          const dialog = ann.dialog('Send again')
          const to = dialog.getByRole('textbox', { name: 'To', exact: true })
          await hand.sees(to)
          if (where === 'corrected') {
            await ann.tabTo(to)
            await ann.press('Backspace')
            await hand.write(to, 'ann@sink.test')
          }
          await hand.press(dialog.getByRole('button', { name: 'Send', exact: true }))
          await ann.page.waitForURL((url) => !url.pathname.endsWith(id))
          await hand.arrives('Your order')
          await hand.sees(ann.table('Recipients').getByText('Delivered'))
        },
        outcome: async () => {
          const again = await here.becomes(ann.page.url().split('/').at(-1) ?? '', 'delivered')
          expect(again).toMatchObject({ to: ['ann@sink.test'], resentFrom: id, subject: 'Your order' })
        },
      }
    }
  },
})

export const sendsToTheSame = sendsAgain('same')
export const sendsToACorrected = sendsAgain('corrected')
