/**
 * What each action of the activity log means in words, to follow the name of the actor. An action without its
 * words does not compile.
 */
import type { AuditAction } from '../../events/audit.ts'

interface Told {
  /** The name of what it was done to, or its id. */
  name: string
  /** Whether there is a name. */
  isNamed: boolean
  details: Readonly<Record<string, unknown>>
}

type Words = (told: Told) => string

/** `the('broadcast', 'paused')` says "paused the broadcast Teapots". */
const the =
  (thing: string, verb: string): Words =>
  ({ name }) =>
    `${verb} the ${thing} ${name}`

/** For what has no name of its own, or none that belongs in a log. */
const plain =
  (words: string): Words =>
  () =>
    words

/** The verb of a change that the details tell by one field. */
const byField =
  (thing: string, field: string, verbs: Readonly<Record<string, string>>): Words =>
  ({ name, details }) =>
    `${verbs[String(details[field])] ?? 'changed'} the ${thing} ${name}`

const switched = (thing: string): Words => byField(thing, 'enabled', { true: 'enabled', false: 'disabled' })

/** A person who is not in the workspace yet has no name. */
const person =
  (verb: string): Words =>
  ({ name, isNamed }) =>
    `${verb} ${isNamed ? name : 'a person'}`

export const sentences: Readonly<Record<AuditAction, Words>> = {
  'project.created': the('project', 'created'),
  'project.updated': byField('project', 'status', { paused: 'paused', active: 'resumed' }),
  'project.archived': the('project', 'archived'),
  'project.traced': the('project', 'traced'),
  'project.restored': the('project', 'restored'),
  'key.created': the('API key', 'created'),
  'key.revoked': the('API key', 'revoked'),
  'domain.created': the('domain', 'added'),
  'domain.updated': the('domain', 'changed'),
  'domain.dkim_rotated': ({ name }) => `made new DKIM keys for the domain ${name}`,
  'domain.removed': the('domain', 'removed'),
  'suppression.added': plain('suppressed an address'),
  'suppression.removed': plain('lifted the suppression of an address'),
  'email.cancelled': the('email', 'cancelled'),
  'email.rescheduled': the('email', 'rescheduled'),
  'email.resent': ({ name, details }) =>
    `sent the email ${name} again${details['toAnotherAddress'] === true ? ' to another address' : ''}`,
  'email.retried': ({ name }) => `had the email ${name} tried at once`,
  'audience.created': the('audience', 'created'),
  'audience.updated': the('audience', 'changed'),
  'audience.deleted': the('audience', 'deleted'),
  'audience.imported': ({ name }) => `imported contacts into the audience ${name}`,
  'audience.exported': ({ name }) => `exported the contacts of the audience ${name}`,
  'contact.unsubscribed': plain('unsubscribed a contact'),
  'contact.resubscribed': plain('subscribed a contact again'),
  'contact.deleted': plain('deleted a contact'),
  'tag.created': the('tag', 'created'),
  'tag.renamed': ({ name }) => `renamed a tag to ${name}`,
  'tag.deleted': the('tag', 'deleted'),
  'broadcast.created': the('broadcast', 'created'),
  'broadcast.updated': the('broadcast', 'changed'),
  'broadcast.deleted': the('broadcast', 'deleted'),
  'broadcast.sent': the('broadcast', 'sent'),
  'broadcast.scheduled': the('broadcast', 'scheduled'),
  'broadcast.cancelled': the('broadcast', 'cancelled'),
  'broadcast.paused': the('broadcast', 'paused'),
  'broadcast.resumed': the('broadcast', 'resumed'),
  'broadcast.exported': ({ name }) => `exported the recipients of the broadcast ${name}`,
  'automation.created': the('automation', 'created'),
  'automation.updated': switched('automation'),
  'automation.deleted': the('automation', 'deleted'),
  'receiving_domain.created': the('receiving domain', 'added'),
  'receiving_domain.removed': the('receiving domain', 'removed'),
  'sms.invited': ({ name }) => `let the project ${name} take part in the SMS beta`,
  'sms.uninvited': ({ name }) => `ended the SMS beta for the project ${name}`,
  'sms.live_on': ({ name }) => `enabled live SMS for the project ${name}`,
  'sms.live_off': ({ name }) => `disabled live SMS for the project ${name}`,
  'sms.message_read': ({ name }) => `read the number and text of the SMS ${name}`,
  'sms.consent_read': ({ name }) => `read the evidence of the SMS consent ${name}`,
  'sms.reconciled': plain('reconciled the SMS wallets'),
  'sms_wallet.topped_up': the('SMS wallet of the project', 'topped up'),
  'sms_wallet.reversed': ({ name }) => `reversed a top-up of the SMS wallet of the project ${name}`,
  'sms_wallet.adjusted': the('SMS wallet of the project', 'adjusted'),
  'sms_wallet.frozen': the('SMS wallet of the project', 'froze'),
  'sms_wallet.unfrozen': the('SMS wallet of the project', 'unfroze'),
  'sms_wallet.capped': ({ name }) => `limited the spending of the SMS wallet of the project ${name}`,
  'sms_record.created': the('SMS record', 'created'),
  'sms_record.updated': the('SMS record', 'changed'),
  'sms_record.submitted': the('SMS record', 'submitted'),
  'sms_record.approved': ({ details }) => `approved the SMS record ${recordIn(details)}`,
  'sms_record.rejected': ({ details }) => `rejected the SMS record ${recordIn(details)}`,
  'sms_record.suspended': ({ details }) => `suspended the SMS record ${recordIn(details)}`,
  'sms_sender.activated': ({ details }) => `activated the SMS sender ${recordIn(details)}`,
  'sms_sender.deactivated': ({ details }) => `deactivated the SMS sender ${recordIn(details)}`,
  'sms_consent.recorded': plain('recorded an SMS consent'),
  'sms_suppression.added': plain('suppressed a phone number'),
  'sms_suppression.lifted': plain('lifted the suppression of a phone number'),
  'sms_rates.loaded': plain('loaded SMS rates'),
  'sending.held': plain('held all sending'),
  'sending.resumed': plain('resumed all sending'),
  'destination.paused': ({ name, details }) => `paused mail to ${name}${everywhere(details)}`,
  'destination.resumed': ({ name, details }) => `resumed mail to ${name}${everywhere(details)}`,
  'destination.retried': ({ name }) => `had the mail that waits for ${name} tried at once`,
  'person.invited': person('invited'),
  'person.joined': plain('joined the workspace'),
  'person.role_changed': ({ name }) => `changed the roles of ${name}`,
  'person.disabled': person('disabled'),
  'person.enabled': person('enabled'),
  'person.reset': ({ name }) => `made a link by which ${name} can sign in again`,
  'person.removed': person('removed'),
  'invitation.renewed': plain('renewed an invitation'),
  'invitation.withdrawn': plain('withdrew an invitation'),
  'session.started': plain('signed in'),
  'session.ended': plain('ended a session'),
  'session.refused': plain('was refused at signing in'),
  'passkey.added': plain('added a passkey'),
  'passkey.renamed': plain('renamed a passkey'),
  'passkey.removed': plain('removed a passkey'),
  'password.changed': plain('changed a password'),
  'totp.enabled': plain('set up an authenticator app'),
  'totp.disabled': plain('removed an authenticator app'),
  'totp.recovered': plain('signed in with a recovery code'),
  'workspace.updated': plain('changed the settings of the workspace'),
  'installation.backup_noted': plain('noted that the master key is kept in a second place'),
  'audit.exported': plain('exported the activity log'),
  'template.created': the('template', 'created'),
  'template.updated': the('template', 'changed'),
  'template.deleted': the('template', 'deleted'),
  'template.starters_made': plain('brought the starter templates back'),
  'webhook.created': the('webhook endpoint', 'added'),
  'webhook.updated': switched('webhook endpoint'),
  'webhook.deleted': the('webhook endpoint', 'deleted'),
  'webhook.secret_rotated': ({ name }) => `made a new secret for the webhook endpoint ${name}`,
  'webhook.secret_shown': ({ name }) => `looked at the secret of the webhook endpoint ${name}`,
  'webhook.replayed': ({ name, details }) =>
    `sent ${details['delivery'] === undefined ? 'deliveries' : 'a delivery'} of the webhook endpoint ${name} again`,
}

const everywhere = (details: Told['details']): string =>
  details['everywhere'] === true ? ' for the whole installation' : ''

/** What an operator did to a record of a project names the record in its details. */
const recordIn = ({ id }: Told['details']): string => String(id ?? '')

export interface Entry {
  action: string
  subject: string
  subjectName: string | null
  details: Readonly<Record<string, unknown>>
}

/** An action that a node of a newer version wrote has no words here. */
export function sentenceOf({ action, subject, subjectName, details }: Entry): string {
  const words = Object.hasOwn(sentences, action) ? sentences[action as AuditAction] : undefined
  if (words === undefined) return action.replaceAll(/[._]/g, ' ')
  return words({ name: subjectName ?? subject, isNamed: subjectName !== null, details })
}
