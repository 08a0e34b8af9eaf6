import { expect, test } from 'vitest'
import { decodeId } from '../../src/core/ids.ts'
import { ParsedParts } from '../../src/template/parsed-parts.ts'
import { askedBy } from '../../src/resources/templates/index.ts'
import { sql } from '../../src/storage/sql.ts'
import { quickest, stretched } from '../support/eventually.ts'
import { pathsOf, preview, starterNames, versionsOf, type Listed, type View } from '../support/templates.ts'
import { created, tenants, world } from '../support/world.ts'

const tenant = tenants()

test('a template is created with what it was given, as its first version', async () => {
  const { projectApi, projectId } = await tenant()
  const fields = { name: 'Greeting', alias: 'greeting', subject: 'Hi {{ name }}', html: '<p>{{ name }}</p>', text: 'x' }
  const variables = [{ name: 'name', required: true }, { name: 'plan', fallback: 'free' }, { name: 'order.total' }]
  const { status, body } = await projectApi.post<View>('templates', { ...fields, variables })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.stringMatching(/^tpl_[0-9a-hjkmnp-tv-z]{26}$/),
    projectId,
    ...fields,
    variables: [
      { name: 'name', required: true, fallback: null },
      { name: 'plan', required: false, fallback: 'free' },
      { name: 'order.total', required: false, fallback: null },
    ],
    starter: null,
    version: 1,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updatedAt: body.createdAt,
  })
  expect((await projectApi.get(`templates/${body.id}`)).body).toEqual(body)
})

test('a name is enough', async () => {
  const { projectApi } = await tenant()
  const view = created(await projectApi.post<View>('templates', { name: 'Bare' }))
  expect(view).toMatchObject({ alias: null, subject: '', html: '', text: '', variables: [] })
  expect((await preview(projectApi, view)).body).toEqual({ subject: '', html: '', text: '' })
})

test('fields out of shape are refused by name, all of them at once', async () => {
  const { projectApi } = await tenant()
  const variable = (name: unknown) => ({ name: 'x', variables: [{ name }] })
  const wrong: [body: unknown, path: string][] = [
    [{}, '/name'],
    [{ name: ' ' }, '/name'],
    ...['', '-x', 'a b', 'tpl_x', 'ä', 'x'.repeat(101)].map((alias): [unknown, string] => [
      { name: 'x', alias },
      '/alias',
    ]),
    [{ name: 'x', subject: 'one\r\nBcc: two@example.com' }, '/subject'],
    [{ name: 'x', subject: 'one\ntwo' }, '/subject'],
    [{ name: 'x', html: 7 }, '/html'],
    [{ name: 'x', from: 'a@example.com' }, '/from'],
    ...['', '1st', 'a b', 'a..b', '.a', '__proto__', 'a.__proto__', '__proto__.a', 7].map((name): [unknown, string] => [
      variable(name),
      '/variables/0/name',
    ]),
    [{ name: 'x', variables: [{ name: 'a' }, { name: 'b' }, { name: 'a' }] }, '/variables/2/name'],
    [{ name: 'x', variables: [{ name: 'a', fallback: 3 }] }, '/variables/0/fallback'],
  ]
  const view = created(await projectApi.post<View>('templates', { name: 'x' }))
  for (const [body, path] of wrong) {
    expect(pathsOf(await projectApi.post('templates', body), 400, 'validation_error'), JSON.stringify(body)).toContain(
      path,
    )
    if (path === '/name' && JSON.stringify(body) === '{}') continue
    const change = await projectApi.patch(`templates/${view.id}`, body)
    expect(pathsOf(change, 400, 'validation_error'), JSON.stringify(body)).toContain(path)
  }
  const all = await projectApi.post('templates', { alias: '?', subject: 7 })
  expect(pathsOf(all, 400, 'validation_error').toSorted()).toEqual(['/alias', '/name', '/subject'])
  expect((await projectApi.get(`templates/${view.id}`)).body).toEqual(view)
})

test('templates are listed newest first, a page at a time, and found by alias', async () => {
  const { projectApi } = await tenant()
  for (const alias of ['a', 'b', 'c']) await projectApi.post('templates', { name: alias, alias })
  const first = (await projectApi.get<Listed>('templates?limit=2')).body
  expect(first.data.map(({ name }) => name)).toEqual(['c', 'b'])
  const second = (await projectApi.get<Listed>(`templates?limit=100&cursor=${first.nextCursor}`)).body
  expect(second.data.map(({ alias }) => alias)).toEqual(['a', ...starterNames])
  expect(second).toMatchObject({ hasMore: false, nextCursor: null })
  expect((await projectApi.get<Listed>('templates?alias=b')).body.data.map(({ name }) => name)).toEqual(['b'])
  expect((await projectApi.get<Listed>('templates?alias=B')).body.data).toEqual([])
})

test('every update is a new version, even of the name alone, and changes only what it names', async () => {
  const { projectApi, db } = await world()
  const first = created(await projectApi.post<View>('templates', { name: 'A', alias: 'a', subject: '1', text: 't' }))
  const change = async (body: unknown) => (await projectApi.patch<View>(`templates/${first.id}`, body)).body
  const second = await change({ subject: '2', variables: [{ name: 'x' }] })
  expect(second).toEqual({
    ...first,
    subject: '2',
    variables: [{ name: 'x', required: false, fallback: null }],
    version: 2,
    updatedAt: second.updatedAt,
  })
  expect(second.updatedAt > first.updatedAt).toBe(true)
  expect(await change({ name: 'B' })).toMatchObject({ name: 'B', alias: 'a', subject: '2', version: 3 })
  expect(await change({ alias: null })).toMatchObject({ name: 'B', alias: null, version: 4 })
  expect(await change({ html: 'h', text: '' })).toMatchObject({ html: 'h', text: '', version: 5 })
  const kept = await versionsOf(db, 'B')
  expect(kept.map(({ version, subject, html, text }) => [version, subject, html, text])).toEqual([
    [1, '1', '', 't'],
    [2, '2', '', 't'],
    [3, '2', '', 't'],
    [4, '2', '', 't'],
    [5, '2', 'h', ''],
  ])
})

test('updates in the same moment get version numbers of their own, without a gap', async () => {
  const { projectApi, db } = await world()
  const { id } = created(await projectApi.post<View>('templates', { name: 'Busy' }))
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, i) => projectApi.patch<View>(`templates/${id}`, { subject: `s${i}` })),
  )
  const versions = replies.map(({ body }) => body.version).toSorted((a, b) => a - b)
  expect(versions).toEqual(Array.from({ length: 20 }, (_, i) => i + 2))
  const kept = await versionsOf(db, 'Busy')
  for (const { body } of replies) {
    expect(kept.find(({ version }) => version === body.version)).toMatchObject({ subject: body.subject })
  }
})

test('a deleted template is gone, its alias is free, and its versions stay for the mail that names them', async () => {
  const { projectApi, db } = await world()
  const { id } = created(await projectApi.post<View>('templates', { name: 'A', alias: 'a', subject: 'kept' }))
  expect((await projectApi.delete(`templates/${id}`)).body).toEqual({ id, deleted: true })
  for (const reply of [
    await projectApi.get(`templates/${id}`),
    await projectApi.patch(`templates/${id}`, { html: '{{ broken' }),
    await projectApi.post(`templates/${id}/preview`, {}),
    await projectApi.delete(`templates/${id}`),
  ]) {
    expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
  created(await projectApi.post('templates', { name: 'B', alias: 'a' }))
  expect(await db.all(sql`select 1 from template_versions where subject = 'kept'`)).toHaveLength(1)
})

test('who changed a template is in the audit log, without what it says', async () => {
  const { projectApi: api, db } = await world()
  const { id } = created(await api.post<View>('templates', { name: 'Audited', html: '<p>Confidential</p>' }))
  const change = await api.patch(`templates/${id}`, { html: '<p>Also confidential</p>' })
  await api.patch(`templates/${id}`, { html: '{% if %}' })
  await api.delete(`templates/${id}`)
  await api.post('templates/starters?reset=true')
  const entries = await db.all(sql<{ action: string; actor: string; request: string; details: object }>`
    select action, actor, request_id as request, details from audit_log where action like 'template.%' order by id`)
  expect(entries.map(({ action }) => action)).toEqual(['template.created', 'template.updated', 'template.deleted'])
  expect(entries[1]).toMatchObject({
    actor: 'key',
    request: change.headers.get('x-request-id'),
    details: { version: 2, changed: ['html'] },
  })
  expect(JSON.stringify(entries)).not.toContain('onfidential')
})

test('an alias belongs to one template of a project, and the refusal names it', async () => {
  const { api, projectApi, newProject } = await world()
  const holder = created(await projectApi.post<View>('templates', { name: 'A', alias: 'order' }))
  const other = created(await projectApi.post<View>('templates', { name: 'B', alias: 'other' }))
  const taken = { status: 409, body: { code: 'already_exists', existingId: holder.id } }
  expect(await projectApi.post('templates', { name: 'C', alias: 'order' })).toMatchObject(taken)
  expect(await projectApi.patch(`templates/${other.id}`, { alias: 'order', subject: 'x' })).toMatchObject(taken)
  expect((await projectApi.get(`templates/${other.id}`)).body).toEqual(other)
  expect(await projectApi.patch(`templates/${holder.id}`, { alias: 'order' })).toMatchObject({ status: 200 })
  const headers = { 'x-service-project-id': await newProject() }
  expect((await api.post('templates', { name: 'D', alias: 'order' }, headers)).status).toBe(201)
})

test('of several who want an alias in the same moment one gets it, and the others learn who', async () => {
  const { projectApi, db } = await world()
  const { id } = created(await projectApi.post<View>('templates', { name: 'Late' }))
  for (let round = 0; round < 5; round++) {
    const alias = `race${round}`
    const replies = await Promise.all([
      ...Array.from({ length: 4 }, (_, i) =>
        projectApi.post<View & { existingId: string }>('templates', { name: `${i}`, alias }),
      ),
      projectApi.patch<View & { existingId: string }>(`templates/${id}`, { alias }),
    ])
    const winners = replies.filter(({ status }) => status < 300)
    expect(winners).toHaveLength(1)
    for (const { status, body } of replies.filter((reply) => !winners.includes(reply))) {
      expect([status, body.existingId]).toEqual([409, winners[0]!.body.id])
    }
  }
  const numbers = await db.all(
    sql`select version from template_versions group by template_id, version having count(*) > 1`,
  )
  expect(numbers).toEqual([])
})

test('a template that cannot be read is refused with every problem of every part', async () => {
  const { projectApi } = await tenant()
  const wrong = { subject: '{{ a', html: '<p>{% if x %}</p>\n{{ y | nosuch }}', text: '{% include "/etc/passwd" %}' }
  const view = created(await projectApi.post<View>('templates', { name: 'Right', subject: 'fine' }))
  for (const reply of [
    await projectApi.post('templates', { name: 'Wrong', ...wrong }),
    await projectApi.patch(`templates/${view.id}`, wrong),
  ]) {
    expect(pathsOf(reply, 422, 'template_error').toSorted()).toEqual(['/html', '/html', '/subject', '/text'])
    expect(reply.text).toContain('line 2, column')
  }
  expect((await projectApi.get(`templates/${view.id}`)).body).toEqual(view)
})

test('a preview fills every part, escapes in HTML only, and leaves what nobody declared empty', async () => {
  const { projectApi } = await tenant()
  const view = created(
    await projectApi.post<View>('templates', {
      name: 'Order',
      subject: 'For {{ who }}',
      html: '<b>{{ who }}</b>{% for item in items %}<i>{{ item.name }}</i>{% endfor %}[{{ unknown.deep }}]',
      text: '{{ who }} {{ items.size }}[{{ unknown }}]',
    }),
  )
  const { body } = await preview(projectApi, view, { who: 'A&B', items: [{ name: 'x' }, { name: '<y>' }] })
  expect(body).toEqual({
    subject: 'For A&B',
    html: '<b>A&amp;B</b><i>x</i><i>&lt;y&gt;</i>[]',
    text: 'A&B 2[]',
  })
})

test('variables that a template requires must be given; null is not given, empty is', async () => {
  const { projectApi } = await tenant()
  const variables = [
    { name: 'name', required: true },
    { name: 'contact.city', required: true },
    { name: 'code', required: true, fallback: 'none' },
    { name: 'plan' },
  ]
  const view = created(await projectApi.post<View>('templates', { name: 'x', text: '{{ name }}.', variables }))
  const missing = async (given: unknown) => pathsOf(await preview(projectApi, view, given), 422, 'template_error')
  expect(await missing({})).toEqual(['/variables/name', '/variables/contact/city', '/variables/code'])
  expect(await missing({ name: null, contact: 'Rome', code: 1 })).toEqual([
    '/variables/name',
    '/variables/contact/city',
  ])
  expect(await missing({ name: 'x', contact: { city: '' } })).toEqual(['/variables/code'])
  expect((await preview(projectApi, view, { name: '', contact: { city: '' }, code: 0 })).body).toMatchObject({
    text: '.',
  })
  expect(
    pathsOf(await projectApi.post(`templates/${view.id}/preview`, { name: 'x' }), 400, 'validation_error'),
  ).toEqual(['/name'])
})

test('a fallback stands in for what is missing, at any depth, and for nothing else', async () => {
  const { projectApi } = await tenant()
  const variables = [
    { name: 'name', fallback: 'friend' },
    { name: 'contact.city', fallback: '<Rome>' },
    { name: 'contact.zip', fallback: '00100' },
  ]
  const fields = { name: 'x', html: '{{ name }}, {{ contact.city }} {{ contact.zip }} {{ contact.street }}', variables }
  const view = created(await projectApi.post<View>('templates', fields))
  const html = async (given: unknown) => (await preview(projectApi, view, given)).body['html']
  expect(await html({})).toBe('friend, &lt;Rome&gt; 00100 ')
  expect(await html({ name: null, contact: { street: 'Via 1' } })).toBe('friend, &lt;Rome&gt; 00100 Via 1')
  expect(await html({ name: '', contact: { city: 0, zip: false } })).toBe(', 0 false ')
  expect(await html({ contact: 'a word' })).toBe('friend,   ')
})

test('names that every object inherits are nobody’s variables', async () => {
  const { projectApi } = await tenant()
  const view = created(
    await projectApi.post<View>('templates', {
      name: 'x',
      text: '{{ constructor }}{{ constructor.name }}{{ a.__proto__ }}{{ __proto__.x }}{{ toString }}|{{ valueOf.x }}',
      variables: [
        { name: 'toString', fallback: 'own' },
        { name: 'valueOf.x', fallback: 'inner' },
      ],
    }),
  )
  expect((await preview(projectApi, view, { a: {} })).body).toMatchObject({ text: 'own|inner' })
  await projectApi.patch(`templates/${view.id}`, { variables: [{ name: 'constructor', required: true }] })
  expect(pathsOf(await preview(projectApi, view, {}), 422, 'template_error')).toEqual(['/variables/constructor'])
  expect((await preview(projectApi, view, { constructor: 'mine' })).body).toMatchObject({ text: 'mine|' })
  expect(({} as Record<string, unknown>)['x']).toBeUndefined()
})

test('a subject stays one line, whatever a variable brings, and no longer than a subject may be', async () => {
  const { projectApi } = await tenant()
  const view = created(await projectApi.post<View>('templates', { name: 'x', subject: 'Hi {{ name }}!' }))
  const { body } = await preview(projectApi, view, { name: 'Ann\r\nBcc: eve@example.com\u2028<b>č' })
  expect(body['subject']).toBe('Hi Ann Bcc: eve@example.com <b>č!')
  expect((await preview(projectApi, view, { name: 'x'.repeat(994) })).status).toBe(200)
  expect(pathsOf(await preview(projectApi, view, { name: 'x'.repeat(995) }), 422, 'template_error')).toEqual([
    '/subject',
  ])
})

test.each([
  ['an endless loop', '{% for a in (1..99999) %}{% for b in (1..99999) %}{{ a }}{% endfor %}{% endfor %}'],
  ['a huge range', '{% for a in (1..9999999999) %}x{% endfor %}'],
  ['a text that doubles', `{% assign s = "xxxxxxxx" %}${'{% assign s = s | append: s %}'.repeat(40)}{{ s }}`],
  [
    'a list that is given',
    '{% for a in list %}{% for b in list %}{% for c in list %}{{ c }}{% endfor %}{% endfor %}{% endfor %}',
  ],
])('%s is refused in bounded time', async (_, html) => {
  const { projectApi } = await tenant()
  const view = created(await projectApi.post<View>('templates', { name: 'hostile', html }))
  const list = Array.from({ length: 2_000 }, () => 'y'.repeat(100))
  const took = await quickest(2_000, async () =>
    expect(pathsOf(await preview(projectApi, view, { list }), 422, 'template_error')).toEqual(['/html']),
  )
  expect(took).toBeLessThan(stretched(2_000))
})

test('a send finds a template by id or alias, in its own project only', async () => {
  const { db, services, projectApi, projectId, newProject } = await world()
  const { id } = created(await projectApi.post<View>('templates', { name: 'A', alias: 'mine', text: 'Hi {{ a }}' }))
  const [ours, theirs] = [decodeId('prj', projectId)!, decodeId('prj', await newProject())!]
  for (const name of [id, 'mine']) {
    const template = await services.templates.findNamed(db, ours, name)
    const filled = await services.templates.fill(template, { a: 1 }, askedBy({ id: ours }))
    expect(filled).toMatchObject({ subject: '', html: '', text: 'Hi 1' })
    await expect(services.templates.findNamed(db, theirs, name)).rejects.toMatchObject({ code: 'not_found' })
  }
  for (const name of ['tpl_', 'tpl_0', '', 'MINE', `${id}0`]) {
    await expect(services.templates.findNamed(db, ours, name)).rejects.toMatchObject({ code: 'not_found' })
  }
})

test('parsed templates are kept while they are used, and no more of them than the bounds allow', () => {
  const parsed = new ParsedParts('html', { entries: 2, characters: 60 })
  const kept = (source: string) => {
    const [first, second] = [parsed.parse(source), parsed.parse(source)]
    return first.ok && second.ok && first.template === second.template
  }
  const templateOf = (source: string) => {
    const result = parsed.parse(source)
    return result.ok ? result.template : undefined
  }
  const a = templateOf('{{ a }}')
  const b = templateOf('{{ b }}')
  expect(templateOf('{{ a }}')).toBe(a)
  // By now b is the one that was not used for the longest time.
  templateOf('{{ c }}')
  expect(templateOf('{{ a }}')).toBe(a)
  expect(templateOf('{{ b }}')).not.toBe(b)
  expect(templateOf('{{ a }}')).toBe(a)
  expect(kept('x'.repeat(50))).toBe(true)
  expect(kept('x'.repeat(100))).toBe(false)
  expect(templateOf('{{ a }}')).not.toBe(a)
})
