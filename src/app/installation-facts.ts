import type { Config } from '../config/schema.ts'
import type { InstallationFacts } from '../resources/installation/index.ts'
import { version } from './version.ts'

/** What people who look after the workspace may know of the configuration. */
export const installationFacts = (config: Config): InstallationFacts => ({
  version,
  publicUrl: config.publicUrl,
  smtpHostname: config.smtpHostname,
  hasGivenMasterKey: config.masterKey !== undefined,
  retention: {
    bodies: config.retainBodiesDays,
    events: config.retainEventsDays,
    webhookDeliveries: config.retainWebhookDeliveriesDays,
    received: config.retainReceivedDays,
  },
  configuration: config.shown,
})
