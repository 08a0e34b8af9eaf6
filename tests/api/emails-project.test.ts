import { expect, test } from 'vitest'
import { mail, post, refusal, rowsOf, send, type Batch } from '../support/emails.ts'
import { neighbourhood } from '../contract/tenants.ts'
import { createDomain, publish, verifiedDomain, worldWithDns } from '../support/domains.ts'
import { world } from '../support/world.ts'

const from = (domain: string) => ({ from: `News <news@${domain}>`, to: 'ann@example.com' })
const named = (projectId: string) => ({ 'x-service-project-id': projectId })

/** Two projects of one workspace, each with a verified domain and a key of its own. */
async function twoProjects() {
  const here = await worldWithDns()
  const otherId = await here.newProject('other')
  const other = await here.clientWith({ scopes: ['*'], projectId: otherId })
  await verifiedDomain(here.projectApi, here.dns, 'first.example')
  await verifiedDomain(other, here.dns, 'other.example')
  return { ...here, other, otherId }
}

test('with a workspace key the project is that of the verified domain in from', async () => {
  const { api, projectId, otherId } = await twoProjects()
  expect(await send(api, from('first.example'))).toMatchObject({ projectId })
  expect(await send(api, from('other.example'))).toMatchObject({ projectId: otherId })
  expect(await send(api, from('OTHER.example'))).toMatchObject({ projectId: otherId })
})

test("a header that agrees is a guard; one that names another project than the domain's is refused", async () => {
  const { api, projectId, otherId, db } = await twoProjects()
  expect(await post(api, from('first.example'), named(projectId))).toMatchObject({ status: 202, body: { projectId } })
  expect(await post(api, from('first.example'), named(otherId))).toMatchObject(refusal(403, 'project_not_allowed'))
  expect(await post(api, from('first.example'), named('prj_00000000000000000000000000'))).toMatchObject(
    refusal(404, 'not_found'),
  )
  expect(await rowsOf(db)).toMatchObject({ emails: 1 })
})

test("a bound key sends from its own project's domains only", async () => {
  const { projectApi, projectId, otherId } = await twoProjects()
  expect(await send(projectApi, from('first.example'))).toMatchObject({ projectId })
  expect(await post(projectApi, from('first.example'), named(projectId))).toMatchObject({ status: 202 })
  expect(await post(projectApi, from('first.example'), named(otherId))).toMatchObject(
    refusal(403, 'project_not_allowed'),
  )
})

test("a bound key is told of its neighbour's domain what it is told of one that is nobody's", async () => {
  const { api, projectApi, projectId } = await twoProjects()
  const asked: [headers: Record<string, string>, more: object, code: string][] = [
    [{}, {}, 'domain_not_verified'],
    [named(projectId), {}, 'domain_not_verified'],
    [{}, { templateId: 'none' }, 'not_found'],
    [{ 'idempotency-key': 'a key' }, {}, 'domain_not_verified'],
  ]
  const said = async (domain: string, path: string) => {
    const replies = []
    for (const [headers, more] of asked) {
      const email = mail({ ...from(domain), ...more })
      const { status, body } = await projectApi.post<Record<string, unknown>>(
        path,
        path === 'email/batch' ? [email] : email,
        'idempotency-key' in headers ? { 'idempotency-key': domain } : headers,
      )
      const { requestId: _, id: __, ...told } = body
      replies.push([status, JSON.stringify(told).replaceAll(domain, 'it')])
    }
    return replies
  }
  for (const path of ['email/send', 'email/send?dryRun=true', 'email/batch']) {
    const neighbour = await said('other.example', path)
    expect(neighbour, path).toEqual(await said('nobodys.example', path))
    expect(neighbour.map(([, told]) => told)).toEqual(asked.map(([, , code]) => expect.stringContaining(code)))
  }
  await api.patch(`projects/${projectId}`, { status: 'paused' })
  expect(await post(projectApi, from('other.example'))).toMatchObject(refusal(403, 'project_paused'))
})

test('the sandbox has no project of its own: a workspace key must name one', async () => {
  const { api, projectApi, projectId } = await world()
  expect(await post(api)).toMatchObject(refusal(400, 'project_required'))
  expect(await post(api, {}, named(projectId))).toMatchObject({ status: 202, body: { projectId } })
  expect(await send(projectApi)).toMatchObject({ projectId })
})

test('a domain that is not verified cannot send, whoever asks', async () => {
  const { api, projectApi, projectId, dns } = await worldWithDns()
  await createDomain(projectApi, 'pending.example')
  for (const domain of ['pending.example', 'unknown.example']) {
    const refused = refusal(403, 'domain_not_verified')
    expect(await post(api, from(domain)), domain).toMatchObject(refused)
    expect(await post(api, from(domain), named(projectId))).toMatchObject(refused)
    expect(await post(projectApi, from(domain))).toMatchObject(refused)
  }
  const { id } = await verifiedDomain(projectApi, dns, 'gone.example')
  await projectApi.delete(`domains/${id}`)
  expect(await post(projectApi, from('gone.example'))).toMatchObject(refusal(403, 'domain_not_verified'))
})

test('a domain does not cover those below it, nor those above', async () => {
  const { api, projectApi, dns } = await worldWithDns()
  await verifiedDomain(projectApi, dns, 'mail.shop.example')
  for (const domain of ['shop.example', 'a.mail.shop.example', 'mail.shop.example.org', 'xmail.shop.example']) {
    expect(await post(api, from(domain)), domain).toMatchObject(refusal(403, 'domain_not_verified'))
  }
  await send(api, from('mail.shop.example'))
})

test("another workspace's domain is as good as unknown", async () => {
  const here = await worldWithDns()
  const { stranger } = await neighbourhood(here)
  const headers = named(stranger.projectId!)
  const made = await stranger.client.post<{ id: string; records: Parameters<typeof publish>[1] }>(
    'domains',
    { name: 'theirs.example' },
    headers,
  )
  publish(here.dns.zones, made.body.records)
  const verified = await stranger.client.post(`domains/${made.body.id}/verify`, {}, headers)
  expect(verified.body).toMatchObject({ status: 'verified' })
  const refused = await post(here.api, from('theirs.example'))
  const unknown = await post(here.api, from('unknwn.example'))
  expect(refused).toMatchObject(refusal(403, 'domain_not_verified'))
  expect(String(refused.body['error'])).toBe(String(unknown.body['error']).replace('unknwn', 'theirs'))
  expect(await send(stranger.client, from('theirs.example'))).toMatchObject({ projectId: stranger.projectId })
})

test('a paused project does not send, and does everything else', async () => {
  const { api, projectApi, projectId } = await world()
  const email = await send(projectApi)
  await api.patch(`projects/${projectId}`, { status: 'paused' })
  expect(await post(projectApi)).toMatchObject(refusal(403, 'project_paused'))
  expect(await projectApi.post<Batch>('email/batch', [mail()])).toMatchObject(refusal(403, 'project_paused'))
  expect(await projectApi.get(`emails/${email.id}`)).toMatchObject({ status: 200 })
  await api.patch(`projects/${projectId}`, { status: 'active' })
  await send(projectApi)
})

test('an archived project is read with a workspace key, and that is all', async () => {
  const { api, projectApi, projectId, dns } = await worldWithDns()
  await verifiedDomain(projectApi, dns, 'first.example')
  const email = await send(projectApi)
  await api.delete(`projects/${projectId}`)
  const archived = refusal(403, 'project_archived')
  expect(await post(projectApi)).toMatchObject(archived)
  expect(await projectApi.get(`emails/${email.id}`)).toMatchObject(archived)
  expect(await post(api, from('first.example'))).toMatchObject(archived)
  expect(await post(api, {}, named(projectId))).toMatchObject(archived)
  expect(await api.post(`emails/${email.id}/cancel`)).toMatchObject(archived)
  expect(await api.post(`emails/${email.id}/reschedule`, { sendAt: email.createdAt })).toMatchObject(archived)
  expect(await api.get(`emails/${email.id}`)).toMatchObject({ status: 200, body: { id: email.id } })
  expect(await api.get('emails', { headers: named(projectId) })).toMatchObject({ body: { data: [{ id: email.id }] } })
})
