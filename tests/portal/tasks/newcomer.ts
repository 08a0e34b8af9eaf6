import { expect } from 'vitest'
import { mailWorld } from '../../support/mail-world.ts'
import { PASSWORD } from '../../support/people.ts'
import { giveAuthenticator, ownAddress, setupPath } from '../support/people.ts'
import { portalOf, visitor } from '../support/visitor.ts'
import type { Task } from './task.ts'

/** A passkey where the way is dark, a password where it is light: both by mouse and by keyboard, wide and narrow. */
export const seesAnEmailDelivered: Task = {
  what: '1: a newcomer opens the set-up link and sees an email delivered',
  clicks: 4,
  prepare: async () => async (way) => {
    const here = await mailWorld({ bare: true, ...(await ownAddress()) })
    const ann = await visitor({ url: portalOf(here), ...way })
    const withPasskey = way.scheme === 'dark'
    if (withPasskey) await giveAuthenticator(ann)
    await ann.open(await setupPath(here))
    return {
      visitor: ann,
      steps: async (hand) => {
        await ann.heading('Set up Posthouse').waitFor()
        expect(await ann.page.locator('input:visible').count()).toBe(3)
        await hand.write(ann.field('Your name'), 'Ann Lee')
        await hand.write(ann.field('Email'), 'ann@example.com')
        if (!withPasskey) await hand.write(ann.field('Password'), PASSWORD)
        await hand.press(ann.button(withPasskey ? 'Create a passkey' : 'Create the workspace'))
        await ann.heading('Overview').waitFor()
        await hand.fits()
        await hand.press(ann.button('Send a test email'))
        await hand.sees(ann.table('Recipients').getByText('Delivered'))
      },
      outcome: async () => {
        const email = await here.email(ann.page.url().split('/').at(-1) ?? '')
        expect(email).toMatchObject({ status: 'delivered', sentBy: { type: 'person' } })
        const people = await here.api.get<{ data: object[] }>('people')
        expect(people.body.data).toMatchObject([{ name: 'Ann Lee', role: 'owner', secondFactor: withPasskey }])
      },
    }
  },
}
