import { expect, test } from 'vitest'
import { addContact, newAudience, newTag } from '../support/audiences.ts'
import { newAutomation } from '../support/automations.ts'
import { tenants } from '../support/world.ts'

const tenant = tenants()

const ann = {
  firstName: 'Ann',
  properties: { seats: '12', score: 7.5, plan: 'trial', vip: true, active: 'false', colours: ['red', 3], empty: '' },
}

/** What is asked of Ann, and the answer. */
const questions: [field: string, operator: string, value: unknown, answer: boolean][] = [
  ['firstName', 'equals', 'Ann', true],
  ['firstName', 'equals', 'ann', false],
  ['firstName', 'notEquals', 'Bob', true],
  ['lastName', 'equals', 'Lee', false],
  ['lastName', 'notEquals', 'Lee', true],
  ['lastName', 'exists', undefined, false],
  ['lastName', 'notExists', undefined, true],
  ['email', 'equals', 'ANN@example.com', true],
  ['email', 'endsWith', '@Example.com', true],
  ['email', 'startsWith', 'bob', false],
  ['properties.plan', 'contains', 'ria', true],
  ['properties.plan', 'notContains', 'ria', false],
  ['properties.colours', 'contains', 'red', true],
  ['properties.colours', 'contains', 're', false],
  ['properties.colours', 'contains', 3, true],
  // Text that is a number counts as one beside a number, and as text beside text.
  ['properties.seats', 'greaterThan', 9, true],
  ['properties.seats', 'greaterThan', '9', false],
  ['properties.seats', 'equals', 12, true],
  ['properties.seats', 'lessOrEqual', 12, true],
  ['properties.seats', 'lessThan', 12, false],
  ['properties.score', 'greaterOrEqual', 7.5, true],
  ['properties.plan', 'greaterThan', 3, false],
  ['properties.plan', 'lessThan', 3, false],
  ['properties.vip', 'equals', true, true],
  ['properties.active', 'equals', false, true],
  ['properties.empty', 'exists', undefined, false],
  // What is not known is neither greater nor less, and no name of the language's own is known.
  ['properties.nothing', 'lessThan', 5, false],
  ['properties.nothing', 'greaterThan', 5, false],
  ['properties.nothing', 'notContains', 'x', true],
  ['properties.constructor', 'exists', undefined, false],
  ['properties.__proto__', 'exists', undefined, false],
]

test('conditions ask what is known of a contact', async () => {
  const { projectApi } = await tenant()
  const audience = await newAudience(projectApi)
  const [has, hasNot] = [await newTag(projectApi, 'has'), await newTag(projectApi, 'has not')]
  await addContact(projectApi, audience, 'ann@example.com', ann)
  await projectApi.post(`contact-tags/${has}/contacts`, { email: 'ann@example.com' })
  const asked = (field: string, operator: string, value: unknown) => ({
    field,
    operator,
    ...(value === undefined ? {} : { value }),
  })
  const [yes, no] = [asked('firstName', 'exists', undefined), asked('lastName', 'exists', undefined)]
  const all: [condition: object, answer: boolean][] = [
    ...questions.map(([field, operator, value, answer]): [object, boolean] => [asked(field, operator, value), answer]),
    [asked('tags', 'contains', has), true],
    [asked('tags', 'contains', hasNot), false],
    [asked('tags', 'notContains', hasNot), true],
    [{ and: [yes, yes] }, true],
    [{ and: [yes, no] }, false],
    [{ or: [no, yes] }, true],
    [{ or: [no, no] }, false],
    [{ or: [{ and: [yes, no] }, { and: [yes, { or: [no, yes] }] }] }, true],
  ]
  const { id } = await newAutomation(projectApi, {
    enabled: false,
    trigger: { type: 'audience', audienceId: audience },
    steps: all.map(([condition], i) => ({ type: 'condition', id: `q${i}`, if: condition })),
  })
  const { body } = await projectApi.post<{ timeline: { result: string }[] }>(`automations/${id}/simulate`, {
    email: 'ann@example.com',
  })
  const answers = all.map(([condition], i) => [JSON.stringify(condition), body.timeline[i]!.result === 'then'])
  expect(answers).toEqual(all.map(([condition, answer]) => [JSON.stringify(condition), answer]))
})

test.each([
  [{ duration: 'PT1S' }, 1],
  [{ duration: 'PT90M' }, 5_400],
  [{ duration: 'P1DT2H3M4S' }, 93_784],
  [{ duration: 'P2W' }, 1_209_600],
  [{ duration: 'P366D' }, 31_622_400],
  [{ amount: 5, unit: 'minutes' }, 300],
  [{ amount: 3, unit: 'weeks' }, 1_814_400],
])('%j is %d seconds', async (delay, seconds) => {
  const { projectApi } = await tenant()
  const audience = await newAudience(projectApi)
  await addContact(projectApi, audience, 'ann@example.com')
  const { id } = await newAutomation(projectApi, {
    enabled: false,
    trigger: { type: 'audience', audienceId: audience },
    steps: [{ type: 'delay', ...delay }],
  })
  const at = '2030-01-01T00:00:00.000Z'
  const { body } = await projectApi.post(`automations/${id}/simulate`, { email: 'ann@example.com', at })
  expect(body).toMatchObject({ startedAt: at, finishedAt: new Date(Date.parse(at) + seconds * 1_000).toISOString() })
})
