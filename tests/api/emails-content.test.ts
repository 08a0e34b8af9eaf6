import { expect, test } from 'vitest'
import { textFromHtml } from '../../src/mail/text.ts'
import { workOf } from '../support/eventually.ts'
import { mail, post, problemsOf, read, rowsOf, send, sentAndRead, type Batch } from '../support/emails.ts'
import { createDomain, publish, worldWithDns, type ShownDomain } from '../support/domains.ts'
import { pathsOf, type View } from '../support/templates.ts'
import type { Reply } from '../support/client.ts'
import { accepted, created, tenants, world, type World } from '../support/world.ts'

const tenant = tenants()

const order = {
  name: 'Order',
  alias: 'order',
  subject: 'Order {{ number }} for {{ customer.name }}',
  html: '<p>Dear {{ customer.name }}, {{ note }}</p>',
  text: 'Dear {{ customer.name }}, {{ note }}',
  variables: [
    { name: 'number', required: true },
    { name: 'customer.name', required: true },
    { name: 'note', fallback: 'thanks' },
  ],
}
const variables = { number: 7, customer: { name: 'Ann & Bob' } }

const withTemplate = async (more: Record<string, unknown> = {}): Promise<World & { template: View }> => {
  const here = await world()
  return { ...here, template: created(await here.projectApi.post<View>('templates', { ...order, ...more })) }
}

/** Everything that the email says comes from the template. */
const filled = (more: Record<string, unknown>) => ({ subject: undefined, html: undefined, ...more })

test('a template is named by its id or alias and filled in when the email is accepted', async () => {
  const { projectApi, template } = await withTemplate()
  for (const templateId of [template.id, 'order']) {
    const email = await sentAndRead(projectApi, filled({ templateId, variables }))
    expect(email).toMatchObject({
      subject: 'Order 7 for Ann & Bob',
      html: '<p>Dear Ann &amp; Bob, thanks</p>',
      text: 'Dear Ann & Bob, thanks',
      templateId: template.id,
      templateVersion: 1,
      variables,
    })
  }
})

test('an email names the version that it was made from and does not change with the template', async () => {
  const { projectApi, template } = await withTemplate()
  const before = await send(projectApi, filled({ templateId: 'order', variables }))
  await projectApi.patch(`templates/${template.id}`, { html: '<p>New</p>', text: 'New' })
  const after = await send(projectApi, filled({ templateId: 'order', variables }))
  await projectApi.delete(`templates/${template.id}`)
  expect(await read(projectApi, before)).toMatchObject({ templateVersion: 1, text: 'Dear Ann & Bob, thanks' })
  expect(await read(projectApi, after)).toMatchObject({ templateVersion: 2, html: '<p>New</p>' })
  expect(await post(projectApi, filled({ templateId: 'order', variables }))).toMatchObject({ status: 404 })
})

test('what the send says itself goes before the template', async () => {
  const { projectApi } = await withTemplate()
  const email = await sentAndRead(projectApi, { templateId: 'order', variables, subject: 'Mine', html: '<b>Mine</b>' })
  expect(email).toMatchObject({ subject: 'Mine', html: '<b>Mine</b>', templateVersion: 1 })
})

test('variables that the template requires must be there: all that are missing are named', async () => {
  const { projectApi, db } = await withTemplate()
  const reply = await post(projectApi, filled({ templateId: 'order', variables: { customer: {} } }))
  expect(pathsOf(reply as Reply<never>, 422, 'template_error')).toEqual([
    '/variables/number',
    '/variables/customer/name',
  ])
  expect(await rowsOf(db)).toEqual({})
})

test('a template without a subject leaves it to the send', async () => {
  const { projectApi } = await withTemplate({ subject: '' })
  expect(problemsOf(await post(projectApi, filled({ templateId: 'order', variables })))).toEqual(['/subject'])
  expect((await send(projectApi, filled({ templateId: 'order', variables, subject: 'Mine' }))).subject).toBe('Mine')
})

test("another project's template is no template, by id or by alias", async () => {
  const { clientWith, newProject, template } = await withTemplate()
  const elsewhere = await clientWith({ scopes: ['*'], projectId: await newProject() })
  for (const templateId of [template.id, 'order', 'tpl_00000000000000000000000000', '', 'x'.repeat(3_000)]) {
    const reply = await post(elsewhere, filled({ templateId, variables }))
    expect(reply).toMatchObject({ status: 404, body: { code: 'not_found', error: 'There is no such template.' } })
  }
})

const file = (more: Record<string, unknown> = {}) => ({ filename: 'a.txt', content: btoa('hello'), ...more })

test('attachments are kept and shown without their bytes', async () => {
  const { projectApi } = await tenant()
  const email = await sentAndRead(projectApi, {
    attachments: [
      file({ filename: 'Rechnung für Ann.pdf' }),
      file({ filename: 'logo.png', contentId: 'logo', content: '' }),
      file({ filename: 'x.unknown', disposition: 'inline' }),
      file({ filename: 'y', contentType: 'text/csv; charset=utf-8', disposition: 'attachment', contentId: '<a@b>' }),
    ],
  })
  expect(email.attachments).toEqual(
    [
      { filename: 'Rechnung für Ann.pdf', contentType: 'application/pdf', size: 5, contentId: null },
      { filename: 'logo.png', contentType: 'image/png', size: 0, contentId: 'logo' },
      { filename: 'x.unknown', contentType: 'application/octet-stream', size: 5, contentId: null },
      {
        filename: 'y',
        contentType: expect.stringMatching(/^text\/csv; charset="?utf-8"?$/),
        size: 5,
        contentId: 'a@b',
      },
    ].map((shown) => ({ id: expect.stringMatching(/^att_/), ...shown })),
  )
  expect(JSON.stringify(email)).not.toContain(btoa('hello'))
})

test('twenty attachments are kept in their order, the same bytes once', async () => {
  const { projectApi, db } = await world()
  const attachments = Array.from({ length: 20 }, (_, i) => file({ filename: `${i}.txt`, content: btoa(String(i % 3)) }))
  const email = await sentAndRead(projectApi, { attachments })
  expect(email.attachments.map(({ filename }) => filename)).toEqual(attachments.map(({ filename }) => filename))
  expect(await rowsOf(db)).toMatchObject({ attachments: 20, blobs: 3 })
})

test('base64 may be broken into lines, and must be whole', async () => {
  const { projectApi } = await tenant()
  const content = Buffer.from('x'.repeat(100)).toString('base64').replaceAll(/.{76}/g, '$&\r\n')
  expect((await sentAndRead(projectApi, { attachments: [file({ content })] })).attachments).toMatchObject([
    { size: 100 },
  ])
  for (const broken of ['aGVsbG8', 'aGVs bG8=', 'aGVs=bG8', '=', 'aGV_', 'ü', 'data:;base64,aGVsbG8=', 'aGVsbG8===']) {
    const reply = await post(projectApi, { attachments: [file(), file({ content: broken })] })
    expect(problemsOf(reply), broken).toEqual(['/attachments/1/content'])
  }
})

test('what would break the headers of an attachment is refused', async () => {
  const { projectApi } = await tenant()
  const cases: [Record<string, unknown>, string][] = [
    [{ filename: 'a\r\nb' }, 'filename'],
    [{ filename: '' }, 'filename'],
    [{ filename: 'ü'.repeat(200) }, 'filename'],
    [{ contentType: 'text' }, 'contentType'],
    [{ contentType: 'text/plain\r\nX: y' }, 'contentType'],
    [{ contentId: 'a b' }, 'contentId'],
    [{ contentId: 'a\nb' }, 'contentId'],
    [{ disposition: 'hidden' }, 'disposition'],
    [{ url: 'https://example.com' }, 'url'],
  ]
  for (const [more, field] of cases) {
    expect(problemsOf(await post(projectApi, { attachments: [file(more)] })), field).toEqual([
      `/attachments/0/${field}`,
    ])
  }
})

test("tracking is the domain's unless the message says otherwise, and off in the sandbox", async () => {
  const { projectApi, dns } = await worldWithDns()
  const domain = await createDomain(projectApi, 'shop.example', { tracking: { opens: true, clicks: true } })
  publish(dns.zones, domain.records)
  await projectApi.post<ShownDomain>(`domains/${domain.id}/verify`)
  const trackingOf = async (more: Record<string, unknown>): Promise<unknown> =>
    (await sentAndRead(projectApi, more))['tracking']
  const from = 'news@shop.example'
  expect(await trackingOf({ from })).toEqual({ opens: true, clicks: true })
  expect(await trackingOf({ from, tracking: { clicks: false } })).toEqual({ opens: true, clicks: false })
  expect(await trackingOf({})).toEqual({ opens: false, clicks: false })
  expect(await trackingOf({ tracking: { opens: true } })).toEqual({ opens: true, clicks: false })
})

const own = { subject: 'Order {{ number }}\u0085for {{ customer.name }}', html: '<p>{{ customer.name }}</p>' }

test('with variables and without a template, subject, html and text are templates themselves', async () => {
  const { projectApi } = await tenant()
  expect(await sentAndRead(projectApi, { ...own, variables })).toMatchObject({
    subject: 'Order 7 for Ann & Bob',
    html: '<p>Ann &amp; Bob</p>',
    text: 'Ann & Bob',
    templateId: null,
    variables,
  })
  const text = '{% for n in (1..number) %}{{ n }}{% endfor %} {{ customer.name }}'
  expect(await sentAndRead(projectApi, { ...own, text, variables })).toMatchObject({ text: '1234567 Ann & Bob' })
  const rehearsed = await projectApi.post('email/send?dryRun=true', mail({ ...own, variables: {} }))
  expect(rehearsed).toMatchObject({ status: 200, body: { subject: 'Order  for', html: '<p></p>' } })
})

test('without variables every brace is left as it is', async () => {
  const { projectApi } = await tenant()
  const literal = { subject: 'Use {{ name', html: '<p>{{ name }} {% if %}</p>', text: '{{ name }}' }
  expect(await sentAndRead(projectApi, literal)).toMatchObject(literal)
})

test('what cannot be filled in is refused, and every place is named; in a batch it costs the others nothing', async () => {
  const { projectApi } = await tenant()
  const broken = mail({ subject: '{{', html: '<p>{{ name | shout }}', text: '{{ 1 | shout }}', variables: {} })
  expect(pathsOf(await post(projectApi, broken), 422, 'template_error')).toEqual(['/subject', '/html', '/text'])
  expect(pathsOf(await projectApi.post('email/send?dryRun=true', broken), 422, 'template_error')).toHaveLength(3)
  const endless = { ...own, html: '{% for i in (1..99999) %}{% for j in (1..99999) %}{% endfor %}{% endfor %}' }
  expect(pathsOf(await post(projectApi, { ...endless, variables }), 422, 'template_error')).toEqual(['/html'])
  const emails = [broken, mail({ ...own, variables })]
  expect(await projectApi.post('email/batch', { emails })).toMatchObject({
    status: 202,
    body: {
      accepted: 1,
      rejected: 1,
      data: [{ code: 'template_error', details: [{ path: '/emails/0/subject' }, {}, {}] }, {}],
    },
  })
})

test('the text parts of a batch with much html are made in another thread', async () => {
  const { projectApi } = await tenant()
  const htmls = Array.from({ length: 16 }, (_, i) => `<p>${i}</p>`.repeat(400_000 / 8))
  const directly = await workOf(() => htmls.map((html) => textFromHtml(html)))
  const sent = await workOf(() =>
    projectApi.post<Batch>('email/batch', { emails: htmls.map((html) => mail({ html })) }),
  )
  const [first] = accepted(sent.result).data
  expect(await read(projectApi, { id: first?.id ?? '' })).toMatchObject({ text: directly.result[0] })
  expect(sent.workMs).toBeLessThan(directly.workMs * 0.7)
})
