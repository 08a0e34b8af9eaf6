import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { addContact, expectRefused, newAudience, newTag } from '../support/audiences.ts'
import { automationOf, mailStep, newAutomation, sandboxSender, type AutomationSeen } from '../support/automations.ts'
import { created, world } from '../support/world.ts'

async function begun() {
  const here = await world()
  const audience = await newAudience(here.projectApi)
  return { ...here, audience, trigger: { type: 'audience', audienceId: audience } }
}

test('an automation comes back whole, with ids for its steps, and disabled unless asked', async () => {
  const { projectApi, trigger } = await begun()
  const tag = await newTag(projectApi, 'old hand')
  const fields = {
    name: 'Welcome',
    trigger,
    sender: { from: 'Post <sandbox@sandbox.posthouse.test>', replyTo: 'ann@example.com' },
    tracking: { opens: true },
    reentry: 'always',
    steps: [
      {
        type: 'email',
        id: 'first',
        subject: 'Hello {{ contact.firstName }}',
        html: '<p>Hello</p>',
        variables: { a: [1] },
      },
      { type: 'delay', duration: 'P1DT12H' },
      { type: 'delay', amount: 2, unit: 'weeks' },
      {
        type: 'condition',
        if: {
          or: [
            { field: 'tags', operator: 'contains', value: tag },
            { field: 'firstName', operator: 'exists' },
          ],
        },
        then: [{ type: 'exit' }],
      },
      { type: 'tag', tagId: tag, action: 'apply' },
    ],
  }
  const made = created(await projectApi.post<AutomationSeen>('automations', fields))
  expect(made).toMatchObject({
    ...fields,
    tracking: { opens: true, clicks: null },
    enabled: false,
    version: 1,
    stats: { started: 0, waiting: 0, completed: 0, stopped: 0, failed: 0, emails: 0 },
    recentRuns: [],
  })
  const ids = [...made.steps, ...(made.steps[3]!['then'] as { id: string }[])].map(({ id }) => id)
  expect(new Set(ids).size).toBe(6)
  for (const id of ids) expect(id).toMatch(/^[\w-]+$/)
  expect(await automationOf(projectApi, made.id)).toEqual(made)
  const { body } = await projectApi.get<{ data: AutomationSeen[] }>('automations')
  expect(body.data).toEqual([{ ...made, recentRuns: undefined }])
  expect(body.data[0]).not.toHaveProperty('recentRuns')
  expect((await projectApi.get<{ data: unknown[] }>('automations?enabled=true')).body.data).toEqual([])
})

test('what was read can be written back, and that is no new version', async () => {
  const { projectApi, trigger } = await begun()
  const made = await newAutomation(projectApi, {
    trigger,
    steps: [mailStep('Hello'), { type: 'delay', duration: 'PT1H' }],
  })
  const { name, sender, tracking, steps, reentry, enabled } = made
  const again = await projectApi.patch<AutomationSeen>(`automations/${made.id}`, {
    name,
    trigger,
    sender,
    tracking,
    steps,
    reentry,
    enabled,
  })
  expect(again.body).toMatchObject({ version: 1, steps })
  const renamed = await projectApi.patch<AutomationSeen>(`automations/${made.id}`, { name: 'Other', enabled: false })
  expect(renamed.body).toMatchObject({ version: 1, name: 'Other', enabled: false })
  for (const [version, change] of [
    [2, { steps: [...steps, { type: 'exit' }] }],
    [3, { sender: { ...sandboxSender, replyTo: 'b@example.com' } }],
    [4, { tracking: { clicks: true } }],
    [5, { trigger: { type: 'tag', tagId: await newTag(projectApi, 'x') } }],
  ] as const) {
    const { body } = await projectApi.patch<AutomationSeen>(`automations/${made.id}`, change)
    expect(body).toMatchObject({ version, ...change })
  }
})

const wrong: [what: string, change: object, path: string][] = [
  ['no steps', { steps: [] }, '/steps'],
  ['a step that is none', { steps: [{ type: 'sms' }] }, '/steps/0/type'],
  ['a step without a type', { steps: [{}] }, '/steps/0/type'],
  ['a field of another step', { steps: [{ type: 'exit', duration: 'P1D' }] }, '/steps/0/duration'],
  ['a delay without a length', { steps: [{ type: 'delay' }] }, '/steps/0/duration'],
  ['an amount without a unit', { steps: [{ type: 'delay', amount: 3 }] }, '/steps/0/unit'],
  ['a month', { steps: [{ type: 'delay', duration: 'P1M' }] }, '/steps/0/duration'],
  ['no time at all', { steps: [{ type: 'delay', duration: 'PT0S' }] }, '/steps/0/duration'],
  ['two years', { steps: [{ type: 'delay', duration: 'P105W' }] }, '/steps/0/duration'],
  [
    'both ways to write it',
    { steps: [{ type: 'delay', duration: 'P1D', amount: 1, unit: 'days' }] },
    '/steps/0/duration',
  ],
  [
    'the same id twice',
    {
      steps: [
        { type: 'exit', id: 'a' },
        { type: 'exit', id: 'a' },
      ],
    },
    '/steps/1/id',
  ],
  ['an email that says nothing', { steps: [{ type: 'email', subject: 'x' }] }, '/steps/0/html'],
  ['email steps without a sender', { sender: undefined }, '/sender'],
  ['a sender that is no address', { sender: { from: 'nobody' } }, '/sender/from'],
  ['a trigger that is none', { trigger: { type: 'birthday' } }, '/trigger/type'],
  ['a question about nothing', { steps: [condition({ field: 'age', operator: 'exists' })] }, '/steps/0/if/field'],
  ['an unknown operator', { steps: [condition({ field: 'email', operator: 'is' })] }, '/steps/0/if/operator'],
  ['a comparison with nothing', { steps: [condition({ field: 'email', operator: 'equals' })] }, '/steps/0/if/value'],
  [
    'an order of tags',
    { steps: [condition({ field: 'tags', operator: 'equals', value: 'x' })] },
    '/steps/0/if/operator',
  ],
  ['an empty list of questions', { steps: [condition({ and: [] })] }, '/steps/0/if/and'],
  [
    'something wrong deep inside',
    { steps: [condition({ field: 'email', operator: 'exists' }, [mailStep('a'), { type: 'delay', duration: 'x' }])] },
    '/steps/0/then/1/duration',
  ],
  [
    'something of no shape deep inside',
    { steps: [condition({ field: 'email', operator: 'exists' }, [{ type: 'exit', why: 'x' }])] },
    '/steps/0/then/0/why',
  ],
  ['too many steps', { steps: [nested(2, 60)] }, '/steps'],
  ['branches that are too deep', { steps: [nested(6, 1)] }, '/steps/0/then/0/then/0/then/0/then/0'],
]

test('what is out of shape is refused, and the place is named', async () => {
  const { projectApi, trigger } = await begun()
  for (const [what, change, path] of wrong) {
    const fields = { name: what, trigger, sender: sandboxSender, steps: [mailStep('Hello')], ...change }
    expectRefused(await projectApi.post('automations', fields), path)
  }
  expect((await projectApi.get<{ data: unknown[] }>('automations')).body.data).toEqual([])
})

function condition(asked: unknown, then: unknown[] = []) {
  return { type: 'condition', if: asked, then }
}

function nested(depth: number, wide: number): unknown {
  const inner = depth === 0 ? { type: 'exit' } : nested(depth - 1, 1)
  return condition(
    { field: 'email', operator: 'exists' },
    Array.from({ length: wide }, () => inner),
  )
}

test('all that is wrong is said at once', async () => {
  const { projectApi, trigger } = await begun()
  const { status, body } = await projectApi.post<{ details: { path: string }[] }>('automations', {
    name: 'Wrong',
    trigger,
    sender: { from: 'x', replyTo: 'y' },
    steps: [{ type: 'delay', duration: 'x' }, condition({ field: 'x', operator: 'y' }), { type: 'delay' }],
  })
  expect(status).toBe(400)
  expect(body.details.map(({ path }) => path)).toEqual([
    '/sender/from',
    '/sender/replyTo',
    '/steps/0/duration',
    '/steps/1/if/field',
    '/steps/1/if/operator',
    '/steps/2/duration',
  ])
})

test('nothing of another project can be referred to', async () => {
  const { projectApi, trigger, clientWith, newProject } = await begun()
  const theirs = await clientWith({ projectId: await newProject(), scopes: ['*'] })
  const tagId = await newTag(theirs, 'theirs')
  const audienceId = await newAudience(theirs)
  const { id: templateId } = created(
    await theirs.post<{ id: string }>('templates', { name: 'x', subject: 'x', text: 'x' }),
  )
  const fields = { name: 'x', trigger, sender: sandboxSender, steps: [mailStep('a')] }
  for (const change of [
    { trigger: { type: 'tag', tagId } },
    { trigger: { type: 'audience', audienceId } },
    { steps: [{ type: 'tag', tagId, action: 'remove' }] },
    { steps: [condition({ field: 'tags', operator: 'notContains', value: tagId })] },
    { steps: [condition({ field: 'email', operator: 'exists' }, [{ type: 'email', templateId }])] },
  ]) {
    expect(await projectApi.post('automations', { ...fields, ...change })).toMatchObject({ status: 404 })
  }
})

test('what it refers to must be there', async () => {
  const { projectApi, trigger } = await begun()
  const other = { name: 'x', sender: sandboxSender, steps: [mailStep('a')] }
  const ask = async (fields: object) => (await projectApi.post('automations', { ...other, trigger, ...fields })).status
  const tagId = 'tag_01hzy3v7q8e9x6c5b4a3m2k1j0'
  expect(await ask({ trigger: { type: 'audience', audienceId: 'aud_01hzy3v7q8e9x6c5b4a3m2k1j0' } })).toBe(404)
  expect(await ask({ trigger: { type: 'audience', audienceId: 'x' } })).toBe(404)
  expect(await ask({ trigger: { type: 'tag', tagId } })).toBe(404)
  expect(await ask({ steps: [{ type: 'tag', tagId, action: 'apply' }] })).toBe(404)
  expect(await ask({ steps: [{ type: 'tag', tagId: 'x', action: 'apply' }] })).toBe(404)
  expect(await ask({ steps: [condition({ field: 'tags', operator: 'contains', value: tagId })] })).toBe(404)
  expect(await ask({ steps: [{ type: 'email', templateId: 'nothing' }] })).toBe(404)
  const broken = await projectApi.post('automations', {
    ...other,
    trigger,
    steps: [condition({ field: 'email', operator: 'exists' }, [{ type: 'email', subject: '{{ a', html: 'x' }])],
  })
  expect(broken).toMatchObject({ status: 422, body: { code: 'template_error' } })
  expect((broken.body['details'] as { path: string }[])[0]!.path).toMatch(/^\/steps\/0\/then\/0\/subject/)
})

test('only a sender that is verified can be enabled', async () => {
  const { projectApi, trigger } = await begun()
  const sender = { from: 'ann@nowhere.example' }
  const fields = { name: 'x', trigger, sender, steps: [mailStep('a')] }
  const refused = { status: 403, body: { code: 'domain_not_verified' } }
  expect(await projectApi.post('automations', { ...fields, enabled: true })).toMatchObject(refused)
  const { id } = created(await projectApi.post<{ id: string }>('automations', fields))
  expect(await projectApi.patch(`automations/${id}`, { enabled: true })).toMatchObject(refused)
  expect((await projectApi.patch(`automations/${id}`, { enabled: true, sender: sandboxSender })).status).toBe(200)
  expect(await projectApi.patch(`automations/${id}`, { sender })).toMatchObject(refused)
  expect(await automationOf(projectApi, id)).toMatchObject({ version: 2, enabled: true, sender: sandboxSender })
})

test('the example in the documentation does what the text says', async () => {
  const { projectApi, audience } = await begun()
  const text = readFileSync(new URL('../../docs/automations.md', import.meta.url), 'utf8')
  const [example] = /(?<=^api automations -d ')[^']*/m.exec(text) ?? []
  const tag = await newTag(projectApi, 'engaged')
  const filled = example!.replaceAll('aud_…', audience).replaceAll('tag_…', tag)
  const fields = JSON.parse(filled.replace('Ann <ann@example.com>', sandboxSender.from)) as Record<string, unknown>
  const { id } = await newAutomation(projectApi, { ...fields, enabled: false })
  const email = 'delivered+ann@simulator.posthouse.test'
  const simulated = async () => {
    const { body } = await projectApi.post<{ timeline: Record<string, string>[] }>(`automations/${id}/simulate`, {
      email,
      at: '2030-01-01T09:00:00Z',
    })
    return body.timeline.map(({ at, type, result, subject }) =>
      [at!.slice(0, 10), type, result, subject].join(' ').trim(),
    )
  }
  await addContact(projectApi, audience, email, { firstName: 'Ann', properties: { plan: 'trial' } })
  const welcome = ['2030-01-01 email sent Welcome, Ann', '2030-01-01 delay delayed']
  expect(await simulated()).toEqual([
    ...welcome,
    '2030-01-04 condition then',
    '2030-01-04 email sent Your trial',
    '2030-01-04 delay delayed',
    '2030-01-11 tag applied',
  ])
  await projectApi.patch(`audiences/${audience}/contacts/${email}`, { properties: { plan: 'team' } })
  expect(await simulated()).toEqual([...welcome, '2030-01-04 condition else', '2030-01-04 tag applied'])
})
