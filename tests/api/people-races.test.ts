import { expect, test } from 'vitest'
import { patiently, type Reply } from '../support/client.ts'
import { acceptWithPasskey, newWorkspace, signIn, type SignedIn } from '../support/people.ts'
import { runs } from '../support/runs.ts'
import { created, world, type World } from '../support/world.ts'

/** Each is done by two owners, of whom there is no third. */
const doings: Record<string, (me: SignedIn, other: SignedIn) => Promise<Reply>> = {
  'removes the other': (me, other) => patiently(() => me.client.delete(`people/${other.id}`)),
  'disables the other': (me, other) => patiently(() => me.client.patch(`people/${other.id}`, { disabled: true })),
  'lowers the other': (me, other) => patiently(() => me.client.patch(`people/${other.id}`, { role: 'viewer' })),
  leaves: (me) => patiently(() => me.client.delete(`people/${me.id}`)),
  'lowers themselves': (me) => patiently(() => me.client.patch(`people/${me.id}`, { role: 'admin' })),
}

const pairs = Object.keys(doings).flatMap((first) => Object.keys(doings).map((second) => [first, second] as const))

test('whatever the last two owners do to each other and themselves at the same moment, one stays', async () => {
  const here = await world()
  const nodes = [here, { ...here, api: await here.anotherApi() }] as const
  for (let i = 0; i < runs(150); i++) {
    const [first, second] = pairs[i % pairs.length]!
    const { id: workspace, key } = await newWorkspace(here)
    const owners = await Promise.all(nodes.map((node) => signIn(node, { role: 'owner', workspace })))
    const [ann, ben] = owners as [SignedIn, SignedIn]
    const replies = await Promise.all([doings[first]!(ann, ben), doings[second]!(ben, ann)])
    const context = `one ${first}, one ${second}: ${replies.map(({ text }) => text).join(' ')}`
    const statuses = replies.map(({ status }) => status)
    // Both may be heard: somebody who has just lowered themselves can still be removed.
    expect(statuses, context).toContain(200)
    for (const status of statuses) expect([200, 401, 403, 404, 409], context).toContain(status)
    const { data } = (await key.get<{ data: { role: string; status: string }[] }>('people')).body
    const left = data.filter(({ role, status }) => role === 'owner' && status === 'active')
    expect(left, context).toHaveLength(1)
  }
})

test('somebody who is lowered while their request waits does no more than their new role allows', async () => {
  const here = await world()
  for (let i = 0; i < runs(100); i++) {
    const { id: workspace, key } = await newWorkspace(here)
    const owner = await signIn(here, { role: 'owner', workspace })
    const admin = await signIn(here, { role: 'admin', workspace })
    const [lowered, invited] = await Promise.all([
      patiently(() => owner.client.patch(`people/${admin.id}`, { role: 'viewer' })),
      patiently(() => admin.client.post('people/invitations', { email: 'friend@example.com', role: 'admin' })),
    ])
    expect(lowered.status).toBe(200)
    expect([201, 401, 403], invited.text).toContain(invited.status)
    // Whether the invitation came first or not: none outlives the role of its inviter.
    expect((await key.get('people/invitations')).body['data']).toEqual([])
  }
})

test('an invitation that many accept at once makes one person', async () => {
  const here = await world()
  for (let i = 0; i < runs(25); i++) await acceptAtOnce(here, i)
})

async function acceptAtOnce(here: World, i: number): Promise<void> {
  const { key } = await newWorkspace(here)
  const body = { email: `friend${i}@example.com`, role: 'viewer' }
  const { link } = created(await key.post<{ link: string }>('people/invitations', body))
  const replies = await Promise.all(Array.from({ length: 5 }, () => acceptWithPasskey(here, link)))
  expect(replies.map(({ reply }) => reply.status).toSorted()).toEqual([201, 410, 410, 410, 410])
  expect((await key.get('people')).body['data']).toHaveLength(1)
}
