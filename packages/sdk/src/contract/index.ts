// Made by `npm run generate`; change the routes and their schemas, not this file.

import type { HealthOperations } from './operations/health.ts'
import type { ProjectsOperations } from './operations/projects.ts'
import type { PeopleOperations } from './operations/people.ts'
import type { WorkspaceOperations } from './operations/workspace.ts'
import type { ApiKeysOperations } from './operations/api-keys.ts'
import type { DomainsOperations } from './operations/domains.ts'
import type { EmailsOperations } from './operations/emails.ts'
import type { SmsMessagesOperations } from './operations/sms-messages.ts'
import type { SmsUsageOperations } from './operations/sms-usage.ts'
import type { SmsWalletOperations } from './operations/sms-wallet.ts'
import type { SmsBusinessProfilesOperations } from './operations/sms-business-profiles.ts'
import type { SmsProgramsOperations } from './operations/sms-programs.ts'
import type { SmsSendersOperations } from './operations/sms-senders.ts'
import type { SmsConsentsOperations } from './operations/sms-consents.ts'
import type { SmsSuppressionsOperations } from './operations/sms-suppressions.ts'
import type { TemplatesOperations } from './operations/templates.ts'
import type { AudiencesOperations } from './operations/audiences.ts'
import type { ContactsOperations } from './operations/contacts.ts'
import type { ContactTagsOperations } from './operations/contact-tags.ts'
import type { BroadcastsOperations } from './operations/broadcasts.ts'
import type { AutomationsOperations } from './operations/automations.ts'
import type { SuppressionsOperations } from './operations/suppressions.ts'
import type { ReceivingOperations } from './operations/receiving.ts'
import type { WebhooksOperations } from './operations/webhooks.ts'
import type { StatisticsOperations } from './operations/statistics.ts'
import type { AuditLogOperations } from './operations/audit-log.ts'
import type { QueueOperations } from './operations/queue.ts'
import type { SendingOperations } from './operations/sending.ts'
import type { SearchOperations } from './operations/search.ts'
import type { LiveOperations } from './operations/live.ts'
import type { InstallationOperations } from './operations/installation.ts'
import type { NoticesOperations } from './operations/notices.ts'

export type * from './shapes/refusals.ts'
export type * from './shapes/health.ts'
export type * from './shapes/projects.ts'
export type * from './shapes/people.ts'
export type * from './shapes/workspace.ts'
export type * from './shapes/api-keys.ts'
export type * from './shapes/domains.ts'
export type * from './shapes/emails.ts'
export type * from './shapes/sms-messages.ts'
export type * from './shapes/sms-usage.ts'
export type * from './shapes/sms-wallet.ts'
export type * from './shapes/sms-business-profiles.ts'
export type * from './shapes/sms-programs.ts'
export type * from './shapes/sms-senders.ts'
export type * from './shapes/sms-consents.ts'
export type * from './shapes/sms-suppressions.ts'
export type * from './shapes/templates.ts'
export type * from './shapes/audiences.ts'
export type * from './shapes/contacts.ts'
export type * from './shapes/contact-tags.ts'
export type * from './shapes/broadcasts.ts'
export type * from './shapes/automations.ts'
export type * from './shapes/suppressions.ts'
export type * from './shapes/receiving.ts'
export type * from './shapes/webhooks.ts'
export type * from './shapes/statistics.ts'
export type * from './shapes/audit-log.ts'
export type * from './shapes/queue.ts'
export type * from './shapes/sending.ts'
export type * from './shapes/search.ts'
export type * from './shapes/live.ts'
export type * from './shapes/installation.ts'
export type * from './shapes/notices.ts'

/** Every operation of the API by its method and path. */
export type Operations =
  HealthOperations &
  ProjectsOperations &
  PeopleOperations &
  WorkspaceOperations &
  ApiKeysOperations &
  DomainsOperations &
  EmailsOperations &
  SmsMessagesOperations &
  SmsUsageOperations &
  SmsWalletOperations &
  SmsBusinessProfilesOperations &
  SmsProgramsOperations &
  SmsSendersOperations &
  SmsConsentsOperations &
  SmsSuppressionsOperations &
  TemplatesOperations &
  AudiencesOperations &
  ContactsOperations &
  ContactTagsOperations &
  BroadcastsOperations &
  AutomationsOperations &
  SuppressionsOperations &
  ReceivingOperations &
  WebhooksOperations &
  StatisticsOperations &
  AuditLogOperations &
  QueueOperations &
  SendingOperations &
  SearchOperations &
  LiveOperations &
  InstallationOperations &
  NoticesOperations
