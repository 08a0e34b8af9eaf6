// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  SmsProgram,
  SmsProgramPage,
  CreateSmsProgram,
  UpdateSmsProgram,
} from '../shapes/sms-programs.ts'

export interface SmsProgramsOperations {
  /** List the programs: what is sent, to whom, and how they agreed. */
  'GET /sms/programs': {
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
    reply: SmsProgramPage
    scope: 'sms:manage'
    context: 'project'
    reads: true
  }
  /** Draft a program. */
  'POST /sms/programs': {
    params: undefined
    query: undefined
    body: CreateSmsProgram
    reply: SmsProgram
    scope: 'sms:manage'
    context: 'project'
  }
  /** Read one program. */
  'GET /sms/programs/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: SmsProgram
    scope: 'sms:manage'
    context: 'project'
    reads: true
  }
  /** Edit a draft, submit it, or take it back. */
  'PATCH /sms/programs/:id': {
    params: { id: string }
    query: undefined
    body: UpdateSmsProgram
    reply: SmsProgram
    scope: 'sms:manage'
    context: 'project'
  }
}
