import { expect } from 'vitest'
import { comeIn, house } from '../support/people.ts'
import type { Task } from './task.ts'

export const makesAKeyThatOnlySends: Task = {
  what: '6: a key that can only send is made, and shown',
  clicks: 4,
  prepare: async () => {
    const here = await house()
    return async (way) => {
      const name = `Web shop, ${way.by}, ${way.screen}`
      const { visitor: ann, person } = await comeIn(here, { role: 'developer', project: here.projectId }, way)
      const secret = ann.page.getByRole('region', { name: 'The key', exact: true })
      await ann.open(`/p/${here.projectId}/overview`)
      return {
        visitor: ann,
        steps: async (hand) => {
          await hand.goTo('API keys')
          await hand.press(ann.button('New key'))
          await hand.write(ann.field('Name'), name)
          await hand.choose(ann.choice('Only send'))
          await hand.press(ann.button('Create'))
          await hand.sees(secret)
        },
        outcome: async () => {
          const { body } = await person.client.get<{ data: { name: string }[] }>('api-keys')
          expect(body.data.find((key) => key.name === name)).toMatchObject({
            projectId: here.projectId,
            scopes: ['email:send'],
            contentAccess: 'none',
            createdBy: person.id,
          })
          const program = here.api.with(await secret.innerText())
          expect((await program.get('emails')).status).toBe(200)
          expect((await program.get('templates')).status).toBe(403)
        },
      }
    }
  },
}
