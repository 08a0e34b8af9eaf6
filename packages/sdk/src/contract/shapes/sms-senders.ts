// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  SmsRejection,
} from './sms-business-profiles.ts'

export interface SmsSender {
  id: string
  projectId: string
  type: 'simulator' | 'long_code' | 'toll_free' | 'short_code' | 'alphanumeric'
  address: string
  country: string
  twoWay: boolean
  programId: string | null
  builtIn: boolean
  status:
    | 'draft'
    | 'submitted'
    | 'in_review'
    | 'approved'
    | 'rejected'
    | 'suspended'
    | 'expired'
    | 'active'
  rejectionReasons: SmsRejection[]
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
  throughputPerSecond: number | null
  dailyCap: number | null
}

export interface SmsSenderPage {
  data: SmsSender[]
  hasMore: boolean
  nextCursor: string | null
}

export interface CreateSmsSender {
  type: 'long_code' | 'toll_free' | 'short_code' | 'alphanumeric'
  /** E.164, a short code of 3 to 6 digits, or a name of up to 11 letters and digits. */
  address: string
  /** ISO 3166, two letters. */
  country: string
  twoWay?: boolean
  /** An id that starts with `smspg_`. */
  programId?: string | null
}

export interface UpdateSmsSender {
  /** E.164, a short code of 3 to 6 digits, or a name of up to 11 letters and digits. */
  address?: string
  /** ISO 3166, two letters. */
  country?: string
  twoWay?: boolean
  /** An id that starts with `smspg_`. */
  programId?: string | null
  /** `submitted` or `draft`. */
  status?:
    | 'draft'
    | 'submitted'
    | 'in_review'
    | 'approved'
    | 'rejected'
    | 'suspended'
    | 'expired'
    | 'active'
    | 'live'
}
