import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { Renderers } from '../../src/app/threads/renderers.ts'
import { newId, type ProjectId } from '../../src/core/ids.ts'
import { silent } from '../../src/core/log.ts'
import { MessageFiller, type MessageParts } from '../../src/template/index.ts'
import { TemplateContent } from '../../src/resources/templates/content.ts'
import { askedBy, type RenderQuestion } from '../../src/resources/templates/index.ts'

const REQUEST_MS = 60_000

/** Threads that are ended after this much work, at a time that the test moves. */
function renderers(workMs?: number) {
  const clock = { time: 0, now: () => clock.time }
  const logged: object[] = []
  const log = { ...silent, error: (fields: object) => logged.push(fields) }
  const threads = new Renderers({ log, clock, ...(workMs === undefined ? {} : { workMs }) })
  onTestFinished(() => threads.stop())
  const ask = (whose: ProjectId, question: RenderQuestion, patienceMs = REQUEST_MS) =>
    threads.ask(whose, question, patienceMs)
  return { threads, clock, ask, logged }
}

const filling = (text: string, variables: Record<string, unknown> = {}): RenderQuestion => ({
  type: 'fill',
  sources: { subject: '', html: '', text, preview: '' },
  variables,
})

/** A megabyte to be parsed, and all the steps that there are to be taken. */
const heavy: RenderQuestion = {
  type: 'fill',
  sources: {
    subject: '',
    preview: '',
    html: `<a href="${'a'.repeat(900_000)}">`,
    text: '{% for i in (1..9999) %}{% assign t = v | url_encode %}{% endfor %}',
  },
  variables: { v: ' '.repeat(2_500) },
}

const [ours, theirs, others] = [newId<'prj'>(), newId<'prj'>(), newId<'prj'>()]

test('a thread gives what the template says, or why it says nothing', async () => {
  const { ask } = renderers()
  expect(await ask(ours, filling('Hi {{ name }}', { name: 'Ann' }))).toEqual({
    kind: 'answered',
    answer: { kind: 'filled', parts: { subject: '', html: '', text: 'Hi Ann', preview: '' } },
  })
  expect(await ask(ours, { ...filling('{{'), type: 'problems' } as RenderQuestion)).toMatchObject({
    kind: 'answered',
    answer: [{ part: 'text', line: 1, column: 1 }],
  })
  expect(await ask(ours, filling('{% for i in (1..999999) %}{% endfor %}'))).toMatchObject({
    kind: 'answered',
    answer: { kind: 'runaway', problems: [{ part: 'text' }] },
  })
})

test('a template that works for too long is ended, rests, and is tried again', async () => {
  const { ask, clock } = renderers(0)
  expect(await ask(ours, heavy)).toEqual({ kind: 'stopped' })
  expect(await ask(ours, heavy)).toEqual({ kind: 'resting', afterMs: 60_000 })
  expect(await ask(ours, filling('another'))).toMatchObject({ kind: 'answered' })
  clock.time += 60_000
  expect(await ask(ours, heavy)).toEqual({ kind: 'stopped' })
})

test('a template that rests for one project does not rest for another that has the same', async () => {
  const { ask } = renderers(0)
  expect(await ask(ours, heavy)).toEqual({ kind: 'stopped' })
  expect(await ask(theirs, heavy)).toEqual({ kind: 'stopped' })
})

test('an exception in a thread is our defect: it is logged with its reason, and the template does not rest', async () => {
  const { threads, ask, logged } = renderers()
  const broken = { type: 'text', sources: {} } as RenderQuestion
  for (let i = 0; i < 2; i++) expect(await ask(ours, broken)).toEqual({ kind: 'failed' })
  expect(logged).toEqual(Array.from({ length: 2 }, () => ({ reason: expect.stringContaining('undefined') })))
  const failed = new TemplateContent(threads).textOf(undefined as never, askedBy({ id: ours }))
  await expect(failed).rejects.not.toHaveProperty('code')
})

test('a thread that ended while it had nothing to do is replaced, and the next template is not blamed', async () => {
  const { ask } = renderers()
  const made: Worker[] = []
  const note = (worker: Worker): unknown => made.push(worker)
  process.on('worker', note)
  onTestFinished(() => void process.off('worker', note))
  expect(await ask(ours, filling('Hi'))).toMatchObject({ kind: 'answered' })
  for (const worker of made) await worker.terminate()
  expect(await ask(ours, filling('Hi'))).toMatchObject({ kind: 'answered' })
  expect(made).toHaveLength(2)
})

test('one project has one thread at a time, and the others do not wait for it', async () => {
  const { ask } = renderers()
  const ended: string[] = []
  const note = async (who: string, work: Promise<unknown>): Promise<void> => {
    await work
    ended.push(who)
  }
  await Promise.all([
    ...Array.from({ length: 3 }, () => note('ours', ask(ours, heavy))),
    ...Array.from({ length: 20 }, () => note('theirs', ask(theirs, filling('Hi')))),
    ...Array.from({ length: 20 }, () => note('others', ask(others, filling('Hi')))),
  ])
  expect(ended.indexOf('ours')).toBeGreaterThan(ended.indexOf('theirs'))
  expect(ended.slice(-2)).toEqual(['ours', 'ours'])
})

test('whoever has much under way and little patience is told so at once, and nobody else is', async () => {
  const { ask } = renderers()
  const all = Array.from({ length: 100 }, () => ask(ours, filling('Hi'), 500))
  const kinds = (await Promise.all([...all, ask(theirs, filling('Hi'), 500)])).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'busy').length).toBeGreaterThan(50)
  expect(kinds.at(-1)).toBe('answered')
  expect(await ask(ours, filling('Hi'), 500)).toMatchObject({ kind: 'answered' })
})

test('what waits when the threads are stopped is nobody’s fault', async () => {
  const { ask, threads } = renderers()
  const waiting = [ask(ours, heavy), ask(ours, filling('Hi'))]
  await threads.stop()
  for (const outcome of await Promise.all(waiting)) expect(outcome).toMatchObject({ kind: 'busy' })
})

const message = (text: string): MessageParts => ({ subject: '', html: '', text, preview: '' })

const undeclared = (sources: MessageParts) => ({ ...sources, variables: [] })

test('no more is done at once than was allowed, and what was too much is not tried a second time', () => {
  const filler = new MessageFiller()
  const allowance = { steps: 100, output: 100, source: 200 }
  let reads = 0
  // Not enumerable, so that only templates read it.
  const variables = Object.defineProperty({}, 'name', {
    get: () => {
      reads++
      return 'Ann'
    },
  })
  const fill = (text: string): string => filler.fill(message(text), variables, undefined, allowance).kind
  expect(fill('Hi {{ name }}')).toBe('filled')
  expect(fill('x'.repeat(200))).toBe('expensive')
  expect(fill('{% comment %}'.padEnd(201, 'x'))).toBe('expensive')
  expect(reads).toBe(1)
  const loop = '{{ name }}{% for i in (1..200) %}{% endfor %}'
  expect([fill(loop), fill(loop), fill(loop)]).toEqual(['expensive', 'expensive', 'expensive'])
  expect(reads).toBe(2)
  expect(filler.fill(message(loop), variables, undefined)).toMatchObject({ kind: 'filled', parts: { text: 'Ann' } })
})

test('what one caller’s variables make of a template is not held against the others who use it', () => {
  const filler = new MessageFiller()
  const allowance = { steps: 100, output: 2_000, source: 10_000 }
  const fill = (sources: Partial<MessageParts>, variables: Record<string, unknown>): string =>
    filler.fill(Object.assign(message(''), sources), variables, undefined, allowance).kind
  const title = { subject: '{{ title }}' }
  expect(fill(title, { title: 'x'.repeat(1_000) })).toBe('runaway')
  expect(fill(title, { title: 'x'.repeat(900) })).toBe('filled')

  const list = { text: '{% for item in items %}{{ item }}{% endfor %}' }
  const items = (count: number) => ({ items: Array.from({ length: count }, () => 'lamp') })
  expect(fill(list, items(100))).toBe('expensive')
  expect(fill(list, items(5))).toBe('filled')

  const text = '{{ greeting }}{{ greeting }}{{ greeting }}'
  const almost = '{% for i in (1..47) %}{% endfor %}'
  expect(fill({ html: almost }, { greeting: 'Hi' })).toBe('filled')
  expect(fill({ html: almost, text }, { greeting: 'Hi' })).toBe('expensive')
  expect(fill({ html: '<p>Hi</p>', text }, { greeting: 'Hello' })).toBe('filled')
})

test('what is more than a few milliseconds of work is done in a thread, and comes out the same', async () => {
  const { threads } = renderers()
  const content = new TemplateContent(threads)
  const loop = '{% for i in (1..3000) %}{{ i }}{% endfor %}'
  const filled = await content.fill(undeclared(message(loop)), {}, askedBy({ id: ours }))
  expect(filled.text).toMatch(/^1234.*2999?3000$/)

  const impatient = new TemplateContent(renderers(0).threads)
  const { sources, variables } = heavy as RenderQuestion & { type: 'fill' }
  await expect(impatient.fill(undeclared(sources), variables, askedBy({ id: ours }))).rejects.toMatchObject({
    code: 'template_error',
    message: expect.stringMatching(/too much time or memory/),
  })
})
