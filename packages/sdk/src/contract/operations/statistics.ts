// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  EmailStatistics,
  WebhookStatistics,
} from '../shapes/statistics.ts'

export interface StatisticsOperations {
  /**
   * Count what became of email, by minute, hour or day. A recipient is counted for everything that happened to its
   * mail: who complains after a delivery is part of both.
   */
  'GET /statistics/emails': {
    params: undefined
    query: {
      /** ISO 8601 with an offset or `Z`. */
      from: string
      /** ISO 8601 with an offset or `Z`. */
      to: string
      /** How long a point is; `hour` if omitted. `from` is moved back and `to` on to where a point begins. */
      step?: 'minute' | 'hour' | 'day'
      /** Where hours and days begin, such as `Europe/Zurich`; UTC if omitted. */
      timeZone?: string
      /** `none` leaves the points out: only totals are wanted. */
      points?: 'all' | 'none'
      /** A series for each; one for all if omitted. */
      groupBy?: 'domain' | 'provider' | 'source' | 'template' | 'tag'
      /** An id that starts with `dom_`. */
      domainId?: string
      /** A large receiver such as `google`, or `other`. */
      provider?: string
      source?: 'transactional' | 'broadcast' | 'automation'
      /** An id that starts with `tpl_`. */
      templateId?: string
      /** A tag as `name:value`. */
      tag?: string
    }
    body: undefined
    reply: EmailStatistics
    scope: 'stats:read'
    context: 'project'
    reads: true
  }
  /** Count attempts to tell webhook endpoints, and what became of the deliveries. */
  'GET /statistics/webhooks': {
    params: undefined
    query: {
      /** ISO 8601 with an offset or `Z`. */
      from: string
      /** ISO 8601 with an offset or `Z`. */
      to: string
      /** How long a point is; `hour` if omitted. `from` is moved back and `to` on to where a point begins. */
      step?: 'minute' | 'hour' | 'day'
      /** Where hours and days begin, such as `Europe/Zurich`; UTC if omitted. */
      timeZone?: string
      /** An id that starts with `whk_`. */
      endpointId?: string
    }
    body: undefined
    reply: WebhookStatistics
    scope: 'stats:read'
    context: 'project'
    reads: true
  }
}
