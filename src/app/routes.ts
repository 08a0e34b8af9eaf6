import { healthRoutes } from '../http/health.ts'
import type { Route } from '../http/route.ts'
import { domainRoutes } from '../resources/domains/index.ts'
import { emailRoutes } from '../resources/emails/index.ts'
import { keyRoutes } from '../resources/keys/index.ts'
import { projectRoutes } from '../resources/projects/index.ts'
import { suppressionRoutes } from '../resources/suppressions/index.ts'
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
  ...templateRoutes(house.templates),
  ...suppressionRoutes(house.suppressions),
  ...webhookRoutes(house.webhooks),
]
