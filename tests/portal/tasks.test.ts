/**
 * What people come for, done by mouse within a number of clicks and by keyboard alone, on wide and narrow screens, in light
 * and dark. The keyboard fails where the focus is lost, or cannot be seen at any stop on the way.
 */
import { expect, test } from 'vitest'
import { webhookWorld } from '../support/webhooks.ts'
import { axeFindings } from './support/axe.ts'
import { Keyboard, Mouse } from './support/hand.ts'
import { comeIn } from './support/people.ts'
import { addsADomain } from './tasks/domains.ts'
import { sendsToACorrected, sendsToTheSame } from './tasks/emails.ts'
import { seesWhyItFailed, seesWhyItWaits } from './tasks/failures.ts'
import { makesAKeyThatOnlySends } from './tasks/keys.ts'
import { seesAnEmailDelivered } from './tasks/newcomer.ts'
import { invitesAnAuthor, removesSomebodyWithKeys } from './tasks/people.ts'
import { pausesAndResumes } from './tasks/queue.ts'
import { findsAnAddress } from './tasks/search.ts'
import { liftsASuppression } from './tasks/suppressions.ts'
import type { Task, Way } from './tasks/task.ts'
import { addsAnEndpoint, seesTheSecret, sendsAllFailedAgain } from './tasks/webhooks.ts'

const tasks: readonly Task[] = [
  seesAnEmailDelivered,
  seesWhyItFailed,
  seesWhyItWaits,
  findsAnAddress,
  sendsToTheSame,
  sendsToACorrected,
  addsADomain,
  makesAKeyThatOnlySends,
  addsAnEndpoint,
  seesTheSecret,
  sendsAllFailedAgain,
  pausesAndResumes,
  liftsASuppression,
  invitesAnAuthor,
  removesSomebodyWithKeys,
]

/** Each task is done in four ways, and some wait for what happens by itself. */
const PATIENCE_MS = 600_000

/** Every two of these properties meet. */
const ways: readonly Way[] = [
  { by: 'mouse', screen: 'wide', scheme: 'light' },
  { by: 'mouse', screen: 'narrow', scheme: 'dark' },
  { by: 'keyboard', screen: 'wide', scheme: 'dark' },
  { by: 'keyboard', screen: 'narrow', scheme: 'light' },
]

test.each(tasks.map((task) => [task.what, task] as const))(
  '%s',
  { timeout: PATIENCE_MS },
  async (_, { clicks, prepare }) => {
    const begin = await prepare()
    for (const way of ways) {
      const { visitor, steps, outcome } = await begin(way)
      const hand = way.by === 'mouse' ? new Mouse(visitor) : new Keyboard(visitor)
      const name = `${way.by}, ${way.screen}, ${way.scheme}`
      visitor.forget()
      await steps(hand).catch((error: unknown) => {
        throw new Error(`by ${name}: ${String(error)}`, { cause: error })
      })
      await outcome()
      expect(visitor.input.clicks, name).toBeLessThanOrEqual(way.by === 'mouse' ? clicks + hand.menus : 0)
      expect(await visitor.sideways(), name).toEqual([])
      expect(await axeFindings(visitor), name).toEqual([])
      if (way.by === 'keyboard') await expect.poll(() => visitor.focus()).toMatchObject({ isLost: false })
      await visitor.page.context().close()
    }
  },
)

test('nothing that has the focus is hidden below the header, through a long page and back', async () => {
  const here = await webhookWorld()
  const { id } = await here.endpoint('http://127.0.0.1:1/hook')
  const { visitor: ann } = await comeIn(here, { role: 'owner' }, { screen: 'narrow' })
  await ann.open(`/p/${here.projectId}/webhooks/${id}`)
  await ann.heading('Working receivers').waitFor()
  await ann.tabTo(ann.button('Check'))
  await ann.tabTo(ann.button('Search'), 'Shift+Tab')
})
