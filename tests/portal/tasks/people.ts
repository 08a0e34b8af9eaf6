import { expect } from 'vitest'
import { comeIn, house } from '../support/people.ts'
import type { Task } from './task.ts'

export const invitesAnAuthor: Task = {
  what: '15: a colleague who may write but not send is invited',
  clicks: 4,
  prepare: async () => {
    const here = await house()
    return async (way) => {
      const email = `ben.${way.by}.${way.screen}@example.com`
      const { visitor: ann, person } = await comeIn(here, { role: 'owner' }, way)
      const link = ann.page.getByRole('region', { name: 'Invitation link' })
      await ann.open(`/p/${here.projectId}/overview`)
      return {
        visitor: ann,
        steps: async (hand) => {
          await hand.goTo('Settings', 'Workspace')
          await hand.press(ann.link('People'))
          await hand.arrives('People')
          await hand.press(ann.button('Invite'))
          await hand.write(ann.field('Email'), email)
          await hand.select(ann.combobox('Role'), 'Author')
          await hand.press(ann.button('Create the invitation'))
          await hand.sees(link)
        },
        outcome: async () => {
          expect(await link.innerText()).toContain('/invitation#pi_')
          const { body } = await person.client.get<{ data: { email: string }[] }>('people/invitations')
          const invited = body.data.find((invitation) => invitation.email === email)
          expect(invited).toMatchObject({ role: 'author', projects: [] })
        },
      }
    }
  },
}

export const removesSomebodyWithKeys: Task = {
  what: '15: somebody is removed together with the keys that they made',
  clicks: 4,
  prepare: async () => {
    const here = await house()
    return async (way) => {
      const { visitor: ann } = await comeIn(here, { role: 'owner' }, way)
      const { person: ben } = await comeIn(here, { role: 'developer', name: 'Ben Okafor' })
      const key = await ben.client.post<{ id: string }>('api-keys', { name: 'Web shop', scopes: ['email:send'] })
      await ann.open(`/p/${here.projectId}/overview`)
      return {
        visitor: ann,
        steps: async (hand) => {
          const row = ann.page.getByRole('row', { name: /Ben Okafor/ })
          await hand.goTo('Settings', 'Workspace')
          await hand.press(ann.link('People'))
          await hand.arrives('People')
          await hand.press(row.getByRole('button', { name: 'Remove' }))
          await hand.sees(ann.dialog().getByText('Web shop'))
          await hand.press(ann.button('Remove, revoke the keys'))
          await hand.sees(ann.text('Ben Okafor is removed, and 1 API key revoked.'))
          await row.waitFor({ state: 'detached' })
        },
        outcome: async () => {
          expect((await here.api.get(`api-keys/${key.body.id}`)).body['revokedAt']).not.toBeNull()
          expect((await ben.client.get('/session')).status).toBe(401)
        },
      }
    }
  },
}
