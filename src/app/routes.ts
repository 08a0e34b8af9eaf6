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
import type { House } from './compose.ts'

/** All route tables, in the order of the specification. */
export const allRoutes = (house: House, version: string): Route[] => [
  ...healthRoutes(version),
  ...projectRoutes(house.projects),
  ...keyRoutes(house.keys),
  ...domainRoutes(house.domains),
  ...emailRoutes(house.emails),
  ...smsRoutes(house.sms),
  ...templateRoutes(house.templates),
  ...audienceRoutes(house.audiences),
  ...contactRoutes(house),
  ...tagRoutes(house.tags),
  ...broadcastRoutes(house.broadcasts),
  ...automationRoutes(house.automations),
  ...suppressionRoutes(house.suppressions),
  ...receivingRoutes({ domains: house.receivingDomains, emails: house.receivedEmails }),
  ...webhookRoutes(house.webhooks),
]
