/** An installation in which every page of the portal has something to show, and one project that has nothing. */
import { decodeId, newId } from '../../../src/core/ids.ts'
import { sql } from '../../../src/storage/sql.ts'
import { eventually } from '../../support/eventually.ts'
import { setUp } from '../../support/people.ts'
import { answers, startReceiver } from '../../support/receiver.ts'
import { receiveAtOnce } from '../../support/receiving.ts'
import { webhookWorld, type WebhookWorld } from '../../support/webhooks.ts'
import { created } from '../../support/world.ts'

/** With `ids`, which stand for the parameters of addresses. */
export type Furnished = Awaited<ReturnType<typeof furnished>>

const html = '<h1>Thank you</h1><p>It is <a href="https://shop.example/orders/7">on its way</a>.</p>'

export async function furnished() {
  const here = await webhookWorld({ bare: false })
  const { api, projectApi, projectId } = here
  await setUp(here)
  const receiver = await startReceiver({ behaviour: answers(200, {}, 'thank you') })
  const endpoint = await here.endpoint(receiver.url, { description: 'The shop' })
  const idle = await here.endpoint('https://192.31.7.1/hook', { enabled: false })
  const emailId = await here.send('delivered', {
    to: ['delivered', 'deferred', 'slow'].map((local) => `${local}@${here.config.simulatorDomain}`),
    subject: 'Your order',
    html,
    tags: { kind: 'order' },
    metadata: { order: '7' },
    attachments: [{ filename: 'invoice.txt', content: 'SW52b2ljZQ==' }],
  })
  await here.send('bounced')
  await here.send('delivered', { sendAt: new Date(Date.now() + 86_400_000).toISOString() })
  await projectApi.post('templates', { name: 'Welcome', subject: 'Hello {{ name }}', html: '<p>Hello {{ name }}.</p>' })
  await projectApi.post(`webhooks/${endpoint.id}/test`)
  const delivery = await here.delivery(endpoint, 'the endpoint was told', ({ status }) => status === 'delivered')
  await api.post('api-keys', { name: 'Web shop', scopes: ['email:send'], projectId })
  await api.post('people/invitations', { email: 'ben@example.com', role: 'author' })
  const mailbox = await receivedMail(here)
  const domain = created(await projectApi.post<{ id: string }>('domains', { name: 'mail.shop.example' }))
  here.dns.zones['_dmarc.mail.shop.example'] = { TXT: ['v=DMARC1; p=none; rua=mailto:dmarc@shop.example; x=1'] }
  here.dns.zones['bounce.mail.shop.example'] = { MX: ['5 mail.elsewhere.example'] }
  await projectApi.post('suppressions', { email: 'tom@example.net', note: 'Asked us on the phone.' })
  const emptyId = await here.newProject('Newsletter')
  const paused = created(await api.post<{ id: string }>('projects', { name: 'Archive', quota: { emailsPerDay: 500 } }))
  await api.patch(`projects/${paused.id}`, { status: 'paused' })
  await eventually('the email arrives', async () => (await here.email(emailId)).events.length > 1)
  await waitingMail(here)
  const destination = 'mail.waits.example'
  const email = `delivered@${here.config.simulatorDomain}`
  const audience = created(await projectApi.post<{ id: string }>('audiences', { name: 'Customers' }))
  await projectApi.post(`audiences/${audience.id}/contacts`, { email, firstName: 'Ann' })
  const tag = created(await projectApi.post<{ id: string }>('contact-tags', { name: 'regular' }))
  await projectApi.post(`contact-tags/${tag.id}/contacts`, { email })
  await projectApi.post('suppressions', { email, note: 'asked by phone' })
  const ids = {
    projectId,
    emptyId,
    emailId,
    email,
    domainId: domain.id,
    webhookId: endpoint.id,
    idleId: idle.id,
    deliveryId: delivery.id,
    ...mailbox,
    destination,
  }
  return { ...here, ids }
}

/** A domain of ours, and one mail to it. */
async function receivedMail(here: WebhookWorld): Promise<{ receivedId: string; receivingDomainId: string }> {
  const { projectApi } = here
  const domain = created(await projectApi.post<{ id: string; name: string }>('receiving/domains', { type: 'managed' }))
  await receiveAtOnce(here, `hello@${domain.name}`)
  const { body } = await projectApi.get<{ data: { id: string }[] }>('receiving/emails')
  return { receivedId: body.data[0]!.id, receivingDomainId: domain.id }
}

/** Mail that waits for another attempt, and one destination that is paused. */
async function waitingMail({ services, db, projectApi, projectId }: WebhookWorld): Promise<void> {
  const project = decodeId('prj', projectId)!
  const destination = 'mail.waits.example'
  await db.run(sql`
    insert into deliveries (id, project_id, email_id, position, recipient, destination, lane, state, due_at, lease_no,
                            attempts)
    select id, ${project}, gen_random_uuid(), 0, 'ann@waits.example', ${destination}, 0, 'waiting',
           clock_now() + interval '1 hour', 1, 1
      from unnest(${[newId(), newId()]}::uuid[]) as id`)
  await services.queueReports.write({
    workerId: newId(),
    states: [],
    flows: [],
    replies: [
      {
        projectId: project,
        destination,
        mark: 'greylisted',
        host: destination,
        address: '192.0.2.25',
        tls: 'TLSv1.3',
        outcome: 'refused',
        stage: 'rcpt',
        code: 451,
        enhanced: '4.7.1',
        text: 'Greylisted, please try again in five minutes',
        count: 2,
        at: Date.now(),
      },
    ],
  })
  await projectApi.post('queue/mail.paused.example/pause', { because: 'Waiting for their postmaster' })
}
