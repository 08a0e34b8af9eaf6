import { healthRoutes } from '../http/health.ts'
import type { Route } from '../http/route.ts'
import { audienceRoutes } from '../resources/audiences/index.ts'
import { automationRoutes } from '../resources/automations/index.ts'
import { broadcastRoutes } from '../resources/broadcasts/index.ts'
import { contactRoutes } from '../resources/contacts/index.ts'
import { domainRoutes } from '../resources/domains/index.ts'
import { emailRoutes } from '../resources/emails/index.ts'
import { keyRoutes } from '../resources/keys/index.ts'
import { projectRoutes } from '../resources/projects/index.ts'
import { receivingRoutes } from '../resources/receiving/index.ts'
import { smsRoutes } from '../resources/sms/index.ts'
import { suppressionRoutes } from '../resources/suppressions/index.ts'
import { tagRoutes } from '../resources/tags/index.ts'
import { templateRoutes } from '../resources/templates/index.ts'
import { webhookRoutes } from '../resources/webhooks/index.ts'
import type { Services } from './compose.ts'

/** All route tables, in the order of the specification. */
export const allRoutes = (services: Services, version: string): Route[] => [
  ...healthRoutes(version),
  ...projectRoutes(services.projects),
  ...keyRoutes(services.keys),
  ...domainRoutes(services.domains),
  ...emailRoutes(services.emails),
  ...smsRoutes(services.sms),
  ...templateRoutes(services.templates),
  ...audienceRoutes(services.audiences),
  ...contactRoutes(services),
  ...tagRoutes(services.tags),
  ...broadcastRoutes(services.broadcasts),
  ...automationRoutes(services.automations),
  ...suppressionRoutes(services.suppressions),
  ...receivingRoutes({ domains: services.receivingDomains, emails: services.receivedEmails }),
  ...webhookRoutes(services.webhooks),
]
