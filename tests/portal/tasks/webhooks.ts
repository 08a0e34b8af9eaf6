import { expect } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { letConfirmationLapse, PASSWORD } from '../../support/people.ts'
import { answers, startReceiver } from '../../support/receiver.ts'
import { signatureBySpecification, webhookWorld } from '../../support/webhooks.ts'
import { comeIn, givePassword } from '../support/people.ts'
import type { Visitor } from '../support/visitor.ts'
import type { Task } from './task.ts'

const secretOn = ({ page }: Visitor) => page.getByRole('region', { name: 'The secret', exact: true })

export const addsAnEndpoint: Task = {
  what: '7: an endpoint is added, its secret seen, a test event sent and its answer seen',
  clicks: 4,
  prepare: async () => {
    const here = await webhookWorld()
    return async (way) => {
      const receiver = await startReceiver({ behaviour: answers(202, {}, 'thank you') })
      const { visitor: ann } = await comeIn(here, { role: 'owner' }, way)
      await ann.open(`/p/${here.projectId}/overview`)
      return {
        visitor: ann,
        steps: async (hand) => {
          await hand.goTo('Webhooks')
          await hand.press(ann.button('Add an endpoint'))
          await hand.write(ann.field('URL'), receiver.url)
          await hand.press(ann.button('Add'))
          await hand.arrives(receiver.url)
          await hand.sees(secretOn(ann))
          await hand.press(ann.button('Send a test event'))
          await hand.sees(ann.text(/Answered 202/))
          await hand.sees(ann.text('thank you'))
        },
        outcome: async () => {
          const heard = await eventually('the receiver hears of it', () => receiver.heard[0])
          const secret = await secretOn(ann).innerText()
          expect(heard.headers['x-service-signature']).toBe(signatureBySpecification(secret, heard))
        },
      }
    }
  },
}

export const seesTheSecret: Task = {
  what: '7: of an endpoint that is there the secret is seen, after a confirmation, and a test event answered',
  clicks: 6,
  prepare: async () => {
    const here = await webhookWorld()
    const receiver = await startReceiver({ behaviour: answers(202) })
    const { id, secret } = await here.endpoint(receiver.url)
    return async (way) => {
      const { visitor: ann, person } = await comeIn(here, { role: 'owner' }, way)
      await givePassword(here, ann, person)
      await letConfirmationLapse(here, person)
      await ann.open(`/p/${here.projectId}/overview`)
      const before = receiver.heard.length
      return {
        visitor: ann,
        steps: async (hand) => {
          await hand.goTo('Webhooks')
          await hand.press(ann.table('Webhooks').getByRole('link', { name: receiver.url }))
          await hand.arrives(receiver.url)
          await hand.press(ann.button('Show'))
          await hand.sees(ann.heading('Confirm that it is you'))
          await hand.write(ann.field('Password'), PASSWORD)
          await hand.press(ann.button('Confirm'))
          await hand.sees(secretOn(ann))
          await hand.press(ann.button('Send a test event'))
          await hand.sees(ann.text(/Answered 202/))
        },
        outcome: async () => {
          await eventually('the receiver hears of it', () => receiver.heard[before])
          expect(await secretOn(ann).innerText()).toBe(secret)
          const log = await here.api.get<{ data: object[] }>(`audit-log?action=webhook.secret_shown&subject=${id}`)
          expect(log.body.data[0]).toMatchObject({ actor: { type: 'person', id: person.id } })
        },
      }
    }
  },
}

export const sendsAllFailedAgain: Task = {
  what: '8: all deliveries that failed during an outage are sent again',
  clicks: 2,
  prepare: async () => {
    const here = await webhookWorld()
    const receiver = await startReceiver()
    const hook = await here.endpoint(receiver.url)
    const failed = () => here.deliveries(hook, '?status=failed')
    return async (way) => {
      receiver.behave(answers(410))
      for (const count of [1, 2]) {
        await here.projectApi.post(`webhooks/${hook.id}/test`)
        await eventually(`${count} failed`, async () => (await failed()).length === count)
        await here.projectApi.patch(`webhooks/${hook.id}`, { enabled: true })
      }
      receiver.behave(answers(200))
      const { visitor: ann } = await comeIn(here, { role: 'developer', project: here.projectId }, way)
      await ann.open(`/p/${here.projectId}/overview`)
      return {
        visitor: ann,
        steps: async (hand) => {
          await hand.goTo('Webhooks')
          await hand.press(ann.button('Send all failed again'))
          await hand.sees(ann.text('2 deliveries are being sent again.'))
        },
        outcome: async () => {
          await eventually('all have arrived', async () => {
            const all = await here.deliveries(hook)
            return all.every(({ status }) => status === 'delivered')
          })
        },
      }
    }
  },
}
