// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  SmsBusinessProfile,
  SmsBusinessProfilePage,
  CreateSmsBusinessProfile,
  UpdateSmsBusinessProfile,
} from '../shapes/sms-business-profiles.ts'

export interface SmsBusinessProfilesOperations {
  /** List the businesses that send. */
  'GET /sms/business-profiles': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      status?:
        | 'draft'
        | 'submitted'
        | 'in_review'
        | 'approved'
        | 'rejected'
        | 'suspended'
        | 'expired'
    }
    body: undefined
    reply: SmsBusinessProfilePage
    scope: 'sms:manage'
    context: 'project'
    reads: true
  }
  /** Draft a business profile. */
  'POST /sms/business-profiles': {
    params: undefined
    query: undefined
    body: CreateSmsBusinessProfile
    reply: SmsBusinessProfile
    scope: 'sms:manage'
    context: 'project'
  }
  /** Read one business profile. */
  'GET /sms/business-profiles/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: SmsBusinessProfile
    scope: 'sms:manage'
    context: 'project'
    reads: true
  }
  /** Edit a draft, submit it, or take it back. */
  'PATCH /sms/business-profiles/:id': {
    params: { id: string }
    query: undefined
    body: UpdateSmsBusinessProfile
    reply: SmsBusinessProfile
    scope: 'sms:manage'
    context: 'project'
  }
}
