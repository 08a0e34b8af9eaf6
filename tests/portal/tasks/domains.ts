import { expect } from 'vitest'
import { publish, type ShownDomain } from '../../support/domains.ts'
import { mailWorld } from '../../support/mail-world.ts'
import { comeIn } from '../support/people.ts'
import type { Task } from './task.ts'

/** The copied texts, in the order in which they were copied. */
const watchClipboard = (): void => {
  const copied: string[] = []
  Object.assign(window, { copied })
  Object.defineProperty(navigator, 'clipboard', {
    value: { writeText: async (text: string) => void copied.push(text) },
  })
}

/** Enter adds the domain, so that two presses lead to its records; each copied record is one more. */
export const addsADomain: Task = {
  what: '5: a domain is added, its records copied and published, and it turns green without reloading',
  clicks: 2 + 4,
  prepare: async () => {
    const here = await mailWorld({ bare: true })
    return async (way) => {
      const name = `${way.by}.${way.screen}.example.com`
      const { visitor: ann } = await comeIn(here, { role: 'developer', project: here.projectId }, way)
      await ann.page.addInitScript(watchClipboard)
      await ann.open(`/p/${here.projectId}/overview`)
      const domain = async (): Promise<ShownDomain> => {
        const { body } = await here.projectApi.get<{ data: ShownDomain[] }>(`domains?name=${name}`)
        return body.data[0]!
      }
      const copied = (): Promise<string[]> =>
        ann.page.evaluate(() => (window as unknown as { copied: string[] }).copied)
      return {
        visitor: ann,
        steps: async (hand) => {
          await hand.goTo('Domains')
          await hand.press(ann.button('Add a domain'))
          await hand.write(ann.field('Domain'), name)
          await ann.press('Enter')
          await hand.arrives(name)
          const { records } = await domain()
          const buttons = ann.button('Copy value')
          await expect.poll(() => buttons.count()).toBe(records.length)
          for (const place of records.keys()) await hand.press(buttons.nth(place))
          await expect.poll(copied).toEqual(records.map(({ value }) => value))
          const started = await ann.page.evaluate(() => performance.timeOrigin)
          publish(here.dns.zones, records)
          await ann.page
            .getByText('Found', { exact: true })
            .nth(records.length - 1)
            .waitFor()
          await hand.sees(ann.page.getByText('Verified', { exact: true }))
          expect(await ann.page.evaluate(() => performance.timeOrigin)).toBe(started)
        },
        outcome: async () => {
          expect(await domain()).toMatchObject({ status: 'verified' })
        },
      }
    }
  },
}
