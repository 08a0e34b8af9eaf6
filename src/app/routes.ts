import { healthRoutes } from '../http/health.ts'
import type { Route } from '../http/route.ts'
import { audienceRoutes } from '../resources/audiences/routes.ts'
import { auditRoutes } from '../resources/audit/routes.ts'
import { automationRoutes } from '../resources/automations/routes.ts'
import { broadcastRoutes } from '../resources/broadcasts/routes.ts'
import { contactRoutes } from '../resources/contacts/routes.ts'
import { domainReportRoutes } from '../resources/domain-reports/routes.ts'
import { domainRoutes } from '../resources/domains/routes.ts'
import { emailRoutes } from '../resources/emails/routes.ts'
import { liveRoutes } from '../resources/live/routes.ts'
import { installationRoutes } from '../resources/installation/routes.ts'
import { keyRoutes } from '../resources/keys/routes.ts'
import { noticeRoutes } from '../resources/notices/routes.ts'
import { peopleRoutes } from '../resources/people/routes.ts'
import { projectRoutes } from '../resources/projects/routes.ts'
import { queueRoutes } from '../resources/queue/routes.ts'
import { receivingRoutes } from '../resources/receiving/routes.ts'
import { searchRoutes } from '../resources/search/routes.ts'
import { smsRoutes } from '../resources/sms/routes.ts'
import { statisticsRoutes } from '../resources/statistics/routes.ts'
import { suppressionRoutes } from '../resources/suppressions/routes.ts'
import { tagRoutes } from '../resources/tags/routes.ts'
import { templateRoutes } from '../resources/templates/routes.ts'
import { webhookRoutes } from '../resources/webhooks/routes.ts'
import type { Services } from './compose.ts'

/** All route tables, in the order of the specification. */
export const allRoutes = (services: Services, version: string): Route[] => [
  ...healthRoutes(version),
  ...projectRoutes(services.projects),
  ...peopleRoutes(services.people),
  ...keyRoutes(services.keys),
  ...domainRoutes(services.domains),
  ...domainReportRoutes(services.domainReports),
  ...emailRoutes(services),
  ...smsRoutes(services.sms),
  ...templateRoutes(services.templates),
  ...audienceRoutes(services.audiences),
  ...contactRoutes(services),
  ...tagRoutes(services.tags),
  ...broadcastRoutes(services),
  ...automationRoutes(services.automations),
  ...suppressionRoutes(services.suppressions),
  ...receivingRoutes({ domains: services.receivingDomains, emails: services.receivedEmails }),
  ...webhookRoutes(services.webhooks),
  ...statisticsRoutes(services.statistics),
  ...auditRoutes(services.auditLog),
  ...queueRoutes({ queue: services.queue, sending: services.allSending }),
  ...searchRoutes(services),
  ...liveRoutes(services.live),
  ...installationRoutes(services.installation),
  ...noticeRoutes(services.notices),
]
