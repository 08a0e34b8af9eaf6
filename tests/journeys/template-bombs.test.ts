import { expect, test } from 'vitest'
import { addContact, newAudience } from '../support/audiences.ts'
import { newBroadcast, readBroadcast, sendBroadcast } from '../support/broadcasts.ts'
import { eventually, quickest, stretched } from '../support/eventually.ts'
import { mailWorld } from '../support/mail-world.ts'
import { preview, type View } from '../support/templates.ts'
import { created, world } from '../support/world.ts'

/** Half of the longest text that there can be, looked for in the whole of it, where it nearly is at every place. */
const bomb = `{% assign a = "aaaaaaaaaaaaaaaa" %}{% for i in (1..15) %}{% assign a = a | append: a %}{% endfor %}
  {% assign h = a | slice: 0, 125000 %}{% assign p = a | slice: 0, 300 | append: "b" | append: h %}{{ a | replace_last: p, "" | size }}{{ a | replace: p, "" | size }}`

/** All the steps that there are, spent on texts. */
const treadmill = '{% for i in (1..99999) %}{% assign t = "abcdefgh" | upcase %}{% endfor %}'

test('whatever a template does in a preview, requests of others are answered meanwhile', async () => {
  const { projectApi, api } = await world()
  const templates: View[] = []
  for (const html of [bomb, treadmill, `<a href="${'a'.repeat(900_000)}">`]) {
    templates.push(created(await projectApi.post<View>('templates', { name: 'Bomb', html })))
  }
  const previews = Array.from({ length: 9 }, (_, i) => preview(projectApi, templates[i % 3]!, {}))
  expect(await quickest(1_000, () => api.get('projects'))).toBeLessThan(stretched(1_000))
  const statuses = (await Promise.all(previews)).map(({ status }) => status)
  expect(statuses).toEqual([200, 422, 200, 200, 422, 200, 200, 422, 200])
})

/** What is large is made only when its server is ready for it. */
const sizes: [size: string, more: string][] = [
  ['small', ''],
  ['large', `<p>${'Lorem ipsum '.repeat(20_000)}</p>`],
]

test.each(sizes)(
  '%s mail whose template asks for too much fails and says so; others leave meanwhile',
  async (_, more) => {
    const here = await mailWorld()
    const { projectApi, from, sink } = here
    const audience = await newAudience(projectApi)
    for (let i = 0; i < 6; i++) await addContact(projectApi, audience, `user${i}@sink.test`, { firstName: 'Ann' })
    // Nobody can see it coming: without a name nothing happens.
    const html = `<p>Hi</p>${more}{% if firstName %}${bomb}${treadmill}{% endif %}`
    const broadcast = await newBroadcast(projectApi, audience, { from, subject: 'News', html })
    await sendBroadcast(projectApi, broadcast)
    const took = await quickest(1_000, async () => here.becomes(await here.send('other@sink.test'), 'delivered'))
    expect(took).toBeLessThan(stretched(5_000))
    const { stats } = await eventually('the broadcast is over', async () => {
      const seen = await readBroadcast(projectApi, broadcast)
      return seen.status === 'sent' && seen
    })
    expect(stats).toMatchObject({ recipients: 6, failed: 6, suppressed: 0 })
    expect(sink.taken.filter(({ to }) => to.startsWith('user'))).toEqual([])
    const { body } = await projectApi.get<{ data: { id: string }[] }>('emails?status=failed')
    const { events, recipients } = await here.email(body.data[0]!.id)
    expect(recipients).toMatchObject([{ status: 'failed', attempts: 1 }])
    expect(events.at(-1)?.detail).toMatch(/^The template could not be filled in for this recipient: .* steps\)$/)
    expect((await projectApi.get<{ data: unknown[] }>('suppressions')).body.data).toEqual([])
  },
)
