import { expect, test } from 'vitest'
import { describedRoutes } from '../../src/app/describe.ts'
import type { Route } from '../../src/http/route.ts'
import { nameOf } from './requests.ts'

/**
 * What each route that is no plain GET means to people, written down a second time: a new one has to take a stand.
 * - `reads`: changes nothing, so a role that only reads may call it.
 * - `leaves`: mail or SMS leaves us, so a role that does not send may not; `leaves?` where the request decides.
 * - `confirms`: a person confirms first that it is them.
 * - `persons`: no key can call it.
 * - `sensitive`: a GET that shows more than the list does, to those only who may also change it.
 */
const table: Readonly<Record<string, string>> = {
  'POST /projects': '',
  'PATCH /projects/:id': '',
  'DELETE /projects/:id': 'confirms',
  'POST /projects/:id/restore': '',
  'POST /projects/:id/trace': '',
  'PATCH /people/:id': 'confirms',
  'DELETE /people/:id': 'confirms',
  'DELETE /people/:id/sessions': 'confirms',
  'POST /people/:id/recovery': 'confirms persons',
  'POST /people/invitations': 'confirms',
  'POST /people/invitations/:id/renew': 'confirms',
  'DELETE /people/invitations/:id': '',
  'PATCH /workspace': 'confirms',
  'POST /installation/backup-noted': 'persons',
  'GET /operator/mailbox': 'reads persons',
  'GET /operator/mailbox/:id': 'reads persons',
  'POST /api-keys': 'confirms',
  'DELETE /api-keys/:id': 'confirms',
  'POST /domains': '',
  'PATCH /domains/:id': '',
  'DELETE /domains/:id': '',
  'POST /domains/:id/verify': '',
  'POST /domains/:id/rotate-dkim': '',
  'POST /email/send': 'leaves?',
  'POST /email/batch': 'leaves',
  'GET /emails/:id/raw': 'reads sensitive',
  'POST /emails/:id/resend': 'leaves',
  'POST /emails/:id/retry': 'leaves',
  'POST /emails/:id/cancel': '',
  'POST /emails/:id/reschedule': '',
  'POST /sms/messages': 'leaves?',
  'GET /sms/messages/:id': 'reads sensitive',
  'POST /sms/business-profiles': '',
  'PATCH /sms/business-profiles/:id': '',
  'POST /sms/programs': '',
  'PATCH /sms/programs/:id': '',
  'POST /sms/senders': '',
  'PATCH /sms/senders/:id': '',
  'POST /sms/consents': '',
  'GET /sms/consents/:id': 'reads sensitive',
  'POST /sms/suppressions': '',
  'POST /templates': '',
  'PATCH /templates/:id': '',
  'DELETE /templates/:id': '',
  'POST /templates/starters': '',
  'POST /templates/:id/preview': 'reads',
  'POST /audiences': '',
  'PATCH /audiences/:id': '',
  'DELETE /audiences/:id': 'confirms',
  'POST /audiences/:id/contacts': '',
  'POST /audiences/:id/contacts/import': '',
  'PATCH /audiences/:id/contacts/:contactId': '',
  'DELETE /audiences/:id/contacts/:contactId': '',
  'POST /contact-tags': '',
  'PATCH /contact-tags/:id': '',
  'DELETE /contact-tags/:id': '',
  'POST /contact-tags/:id/contacts': '',
  'DELETE /contact-tags/:id/contacts': '',
  'POST /broadcasts': '',
  'PATCH /broadcasts/:id': '',
  'DELETE /broadcasts/:id': '',
  'POST /broadcasts/:id/send': 'leaves',
  'POST /broadcasts/:id/schedule': 'leaves',
  'POST /broadcasts/:id/cancel': '',
  'POST /broadcasts/:id/pause': '',
  'POST /broadcasts/:id/resume': 'leaves',
  'POST /broadcasts/:id/test': 'leaves',
  'POST /automations': 'leaves?',
  'PATCH /automations/:id': 'leaves?',
  'DELETE /automations/:id': '',
  'POST /automations/:id/simulate': 'reads',
  'POST /suppressions': '',
  'DELETE /suppressions': 'confirms',
  'POST /receiving/domains': '',
  'POST /receiving/domains/:id/verify': '',
  'DELETE /receiving/domains/:id': '',
  'POST /queue/:destination/retry': 'leaves',
  'POST /queue/:destination/pause': '',
  'POST /queue/:destination/resume': 'leaves',
  'POST /sending/hold': 'confirms',
  'POST /sending/resume': 'leaves confirms',
  'POST /webhooks': '',
  'PATCH /webhooks/:id': '',
  'DELETE /webhooks/:id': '',
  'POST /webhooks/:id/secret': 'confirms persons',
  'POST /webhooks/:id/rotate-secret': 'confirms',
  'POST /webhooks/:id/test': '',
  'POST /webhooks/:id/deliveries/replay': '',
  'POST /webhooks/:id/deliveries/:deliveryId/replay': '',
}

const flagsOf = ({ reads, leaves, needsConfirmation, isForPersons, isSensitive }: Route): string =>
  [
    reads && 'reads',
    leaves && (leaves === true ? 'leaves' : 'leaves?'),
    needsConfirmation && 'confirms',
    isForPersons && 'persons',
    isSensitive && 'sensitive',
  ]
    .filter((word) => word !== false)
    .join(' ')

test('every route that is no plain GET says what it means to people, and says what is written here', () => {
  const told = describedRoutes()
    .map((route) => [nameOf(route), flagsOf(route)] as const)
    .filter(([name, flags]) => !name.startsWith('GET ') || flags !== 'reads')
  expect(Object.fromEntries(told)).toEqual(table)
})

test('of one route the request decides: a dry run sends nothing, and a disabled automation mails nobody', () => {
  const isLeaving = (name: string, body: unknown, query: unknown = {}): boolean | undefined =>
    describedRoutes()
      .find((route) => nameOf(route) === name)
      ?.isLeaving(body, query)
  expect(isLeaving('POST /email/send', {})).toBe(true)
  expect(isLeaving('POST /email/send', {}, { dryRun: false })).toBe(true)
  expect(isLeaving('POST /email/send', {}, { dryRun: true })).toBe(false)
  expect(isLeaving('POST /sms/messages', {})).toBe(true)
  expect(isLeaving('POST /sms/messages', { dryRun: true })).toBe(false)
  for (const name of ['POST /automations', 'PATCH /automations/:id']) {
    expect(isLeaving(name, {})).toBe(false)
    expect(isLeaving(name, { enabled: false })).toBe(false)
    expect(isLeaving(name, { enabled: true })).toBe(true)
  }
})

test('nothing leaves by a route that reads, and only a GET is sensitive', () => {
  for (const route of describedRoutes()) {
    if (route.reads) expect(route.leaves, nameOf(route)).toBe(false)
    if (route.isSensitive) expect(route.method, nameOf(route)).toBe('GET')
  }
})
