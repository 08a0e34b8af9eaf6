import { request } from 'node:http'
import { expect, test } from 'vitest'
import { at, mail, post } from '../support/emails.ts'
import { verifiedDomain, worldWithDns } from '../support/domains.ts'
import { created, type World } from '../support/world.ts'

/** A request to send, with everything about it that can be wrong. */
interface Attempt {
  method: string
  path: string
  key: string
  project: string
  contentType: string
  declaredBytes: number | undefined
  idempotencyKey: string
  spoilJson: boolean
  body: Record<string, unknown>
}

interface Violation {
  /** What of the request it takes: two that take the same cannot be tried together. */
  takes: string
  code: string
  sentence?: string
  spoil?(attempt: Attempt): Partial<Attempt>
  /** Of the project, while the request is made. */
  state?: { spoiled: object; right: object }
}

test('of any two things that are wrong with a send, the one that is checked first is answered', async () => {
  const here = await worldWithDns()
  const { api, projectId } = here
  const violations = await violationsOf(here)
  const right: Attempt = {
    method: 'POST',
    path: 'email/send',
    key: api.key!,
    project: projectId,
    contentType: 'application/json',
    declaredBytes: undefined,
    idempotencyKey: 'new',
    spoilJson: false,
    body: mail(),
  }
  const tried = violations.flatMap((first, i) => violations.slice(i).map((second) => [first, second] as const))
  const pairs = tried.filter(([first, second]) => first === second || first.takes !== second.takes)
  expect(pairs.length).toBeGreaterThan(130)
  for (const [first, second] of pairs) {
    const spoiled = { ...right, ...first.spoil?.(right) }
    const attempt = { ...spoiled, ...second.spoil?.(spoiled) }
    for (const { state } of [first, second]) if (state) await api.patch(`projects/${projectId}`, state.spoiled)
    const told = await ask(api.url, attempt)
    for (const { state } of [first, second]) if (state) await api.patch(`projects/${projectId}`, state.right)
    expect(told, `${first.takes} before ${second.takes}`).toMatchObject({
      code: first.code,
      ...(first.sentence && { error: first.sentence }),
    })
  }
  expect(await ask(api.url, right)).toMatchObject({ status: 'queued' })
})

test('a repeated send is answered again whatever the policy says by now', async () => {
  const { api, projectApi, projectId } = await worldWithDns()
  const key = { 'idempotency-key': 'first' }
  const first = await post(projectApi, {}, key)
  await projectApi.post('suppressions', { email: at('ann') })
  await api.patch(`projects/${projectId}`, { quota: { emailsPerDay: 0 }, status: 'paused' })
  expect(await post(projectApi, {}, key)).toMatchObject({ status: 202, body: first.body })
})

/** In the order in which they are checked. */
async function violationsOf({ api, projectApi, clientWith, newProject, dns }: World & Dns): Promise<Violation[]> {
  const narrow = await clientWith({ scopes: ['domains:read'] })
  const archived = await newProject('archived')
  await api.delete(`projects/${archived}`)
  const elsewhere = await clientWith({ scopes: ['*'], projectId: await newProject('elsewhere') })
  await verifiedDomain(elsewhere, dns, 'elsewhere.example')
  created(await projectApi.post('suppressions', { email: at('gone') }))
  await post(projectApi, { subject: 'another' }, { 'idempotency-key': 'used' })
  const inBody =
    (more: Record<string, unknown>) =>
    ({ body }: Attempt) => ({ body: { ...body, ...more } })
  return [
    { takes: 'path', code: 'not_found', sentence: 'There is no such route.', spoil: () => ({ path: 'email/sent' }) },
    { takes: 'method', code: 'method_not_allowed', spoil: () => ({ method: 'PATCH' }) },
    { takes: 'secret', code: 'unauthorized', spoil: ({ key }) => ({ key: `${key}x` }) },
    { takes: 'secret', code: 'insufficient_scope', spoil: () => ({ key: narrow.key! }) },
    {
      takes: 'header',
      code: 'not_found',
      sentence: 'There is no such project.',
      spoil: () => ({ project: 'prj_00000000000000000000000000' }),
    },
    { takes: 'header', code: 'project_archived', spoil: () => ({ project: archived }) },
    { takes: 'type', code: 'unsupported_media_type', spoil: () => ({ contentType: 'text/plain' }) },
    { takes: 'size', code: 'payload_too_large', spoil: () => ({ declaredBytes: 36 * 1024 * 1024 + 1 }) },
    { takes: 'JSON', code: 'invalid_json', spoil: () => ({ spoilJson: true }) },
    { takes: 'field', code: 'validation_error', spoil: inBody({ extra: 1 }) },
    { takes: 'address', code: 'validation_error', spoil: inBody({ cc: 'nobody' }) },
    { takes: 'sender', code: 'project_not_allowed', spoil: inBody({ from: 'x@elsewhere.example' }) },
    {
      takes: 'template',
      code: 'not_found',
      sentence: 'There is no such template.',
      spoil: inBody({ templateId: 'none' }),
    },
    { takes: 'repetition', code: 'idempotency_mismatch', spoil: () => ({ idempotencyKey: 'used' }) },
    {
      takes: 'status',
      code: 'project_paused',
      state: { spoiled: { status: 'paused' }, right: { status: 'active' } },
    },
    { takes: 'sender', code: 'domain_not_verified', spoil: inBody({ from: 'x@unknown.example' }) },
    { takes: 'recipient', code: 'recipient_suppressed', spoil: inBody({ to: at('gone') }) },
    {
      takes: 'quota',
      code: 'quota_exceeded',
      state: { spoiled: { quota: { emailsPerDay: 0 } }, right: { quota: { emailsPerDay: null } } },
    },
  ]
}

type Dns = Pick<Awaited<ReturnType<typeof worldWithDns>>, 'dns'>

/** Over a plain connection, to be able to announce more than is sent. */
function ask(url: string, attempt: Attempt): Promise<Record<string, unknown>> {
  const json = JSON.stringify(attempt.body)
  const body = attempt.spoilJson ? json.slice(1) : json
  const headers = {
    authorization: `Bearer ${attempt.key}`,
    'content-type': attempt.contentType,
    'content-length': attempt.declaredBytes ?? Buffer.byteLength(body),
    'x-service-project-id': attempt.project,
    'idempotency-key': attempt.idempotencyKey,
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/api/v1/${attempt.path}`, { method: attempt.method, headers, agent: false })
    outgoing.on('response', (response) => {
      let text = ''
      response.on('data', (chunk) => (text += String(chunk)))
      response.on('end', () => {
        outgoing.destroy()
        resolve(JSON.parse(text) as Record<string, unknown>)
      })
    })
    outgoing.on('error', reject)
    if (attempt.declaredBytes === undefined) outgoing.end(body)
    else outgoing.flushHeaders()
  })
}
