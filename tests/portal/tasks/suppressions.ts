import { expect } from 'vitest'
import { comeIn, house } from '../support/people.ts'
import type { Task } from './task.ts'

export const liftsASuppression: Task = {
  what: '13: a suppression is lifted with evidence',
  clicks: 3,
  prepare: async () => {
    const here = await house()
    return async (way) => {
      const email = `ann.${way.by}.${way.screen}@example.org`
      await here.projectApi.post('suppressions', { email, note: 'Asked us on the phone.' })
      const { visitor: ben, person } = await comeIn(here, { role: 'developer', project: here.projectId }, way)
      await ben.open(`/p/${here.projectId}/overview`)
      return {
        visitor: ben,
        steps: async (hand) => {
          const row = ben.page.getByRole('row', { name: new RegExp(email) })
          await hand.goTo('Suppressions')
          await hand.press(row.getByRole('button', { name: 'Lift', exact: true }))
          await hand.write(ben.field('Who confirmed it, and how?'), 'Ann wrote to support on Monday.')
          await hand.press(ben.button('Lift the suppression'))
          await hand.sees(ben.text(`${email} is mailed again.`))
          await row.waitFor({ state: 'detached' })
        },
        outcome: async () => {
          const { body } = await here.projectApi.get<{ data: object[] }>(`suppressions?email=${email}`)
          expect(body.data).toEqual([])
          const log = await here.api.get<{ data: object[] }>('audit-log?action=suppression.removed&limit=1')
          expect(log.body.data[0]).toMatchObject({
            actor: { type: 'person', id: person.id },
            details: { confirmedOptIn: true, note: 'Ann wrote to support on Monday.' },
          })
        },
      }
    }
  },
}
