export { Accepter } from './accept.ts'
export { Again } from './again.ts'
export {
  recipientRefOf,
  Deliveries,
  type Content,
  type Delivered,
  type DeliveryHooks,
  type DueDelivery,
  type MergeContent,
} from './deliveries.ts'
export { readerOf, seesContentOf } from './content-access.ts'
export { EmailFiles } from './files.ts'
export { Engagement, type CountEngaged } from './engagement.ts'
export { Mailings, type Mailing, type MailingFields, type MailingSender, type NewMailingEmail } from './mailings.ts'
export { emailJobs, releaseHeld } from './jobs.ts'
export { Preferences, type SubscriptionState } from './preferences.ts'
export { LARGE_BYTES, Preparer } from './prepare.ts'
export { Retention } from './retention.ts'
export type { CountAccepted, CountedRecipient } from './rows.ts'
export { readSendAt } from './read-request.ts'
export type { AcceptedView, SendEmail } from './schema.ts'
export { Emails } from './service.ts'
export { mailSources } from './states.ts'
