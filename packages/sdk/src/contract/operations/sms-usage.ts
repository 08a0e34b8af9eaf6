// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  SmsUsage,
} from '../shapes/sms-usage.ts'

export interface SmsUsageOperations {
  /** Count SMS and what they cost: messages by when they were made, money by when it moved. */
  'GET /sms/usage': {
    params: undefined
    query: {
      /** ISO 8601 with an offset or `Z`. */
      from?: string
      /** ISO 8601 with an offset or `Z`. */
      to?: string
      /** One or two of day, month, country, category, sender, program, status, with a comma between. */
      groupBy?: string
      mode?: 'test' | 'live'
    }
    body: undefined
    reply: SmsUsage
    scope: 'sms:read'
    context: 'project'
    reads: true
  }
}
