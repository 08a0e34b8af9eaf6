// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  SmsRejection,
} from './sms-business-profiles.ts'

export interface SmsKeywords {
  optIn?: string[]
  optOut?: string[]
  help?: string[]
}

export interface SmsProgram {
  id: string
  projectId: string
  businessProfileId: string | null
  builtIn: boolean
  name: string
  channel: '10dlc' | 'toll_free' | 'short_code' | 'international' | null
  useCase:
    | '2fa'
    | 'account_notification'
    | 'customer_care'
    | 'delivery_notification'
    | 'fraud_alert'
    | 'marketing'
    | 'mixed'
    | 'low_volume'
    | 'polling'
    | 'higher_education'
    | 'public_service'
    | 'security_alert'
    | 'charity'
    | 'emergency'
    | null
  subUseCases: (
    | '2fa'
    | 'account_notification'
    | 'customer_care'
    | 'delivery_notification'
    | 'fraud_alert'
    | 'marketing'
    | 'mixed'
    | 'low_volume'
    | 'polling'
    | 'higher_education'
    | 'public_service'
    | 'security_alert'
    | 'charity'
    | 'emergency')[]
  allowedCategories: ('authentication' | 'transactional' | 'marketing' | 'conversational')[]
  description: string | null
  messageFlow: string | null
  samples: string[]
  optInMessage: string | null
  optOutMessage: string | null
  helpMessage: string | null
  keywords: SmsKeywords
  embeddedLink: boolean
  embeddedPhone: boolean
  ageGated: boolean
  directLending: boolean
  /** A web page, https. */
  privacyPolicyUrl: string | null
  /** A web page, https. */
  termsUrl: string | null
  expectedMonthlyVolume: number | null
  quietHours: SmsQuietHours | null
  status:
    | 'draft'
    | 'submitted'
    | 'in_review'
    | 'approved'
    | 'rejected'
    | 'suspended'
    | 'expired'
  rejectionReasons: SmsRejection[]
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

export interface SmsProgramPage {
  data: SmsProgram[]
  hasMore: boolean
  nextCursor: string | null
}

export interface SmsQuietHours {
  enabled: boolean
  preset?: 'federal' | 'strict' | 'custom'
  /** A time of day. */
  start?: string
  /** A time of day. */
  end?: string
}

export interface CreateSmsProgram {
  name: string
  channel?: '10dlc' | 'toll_free' | 'short_code' | 'international' | null
  useCase?:
    | '2fa'
    | 'account_notification'
    | 'customer_care'
    | 'delivery_notification'
    | 'fraud_alert'
    | 'marketing'
    | 'mixed'
    | 'low_volume'
    | 'polling'
    | 'higher_education'
    | 'public_service'
    | 'security_alert'
    | 'charity'
    | 'emergency'
    | null
  subUseCases?: (
    | '2fa'
    | 'account_notification'
    | 'customer_care'
    | 'delivery_notification'
    | 'fraud_alert'
    | 'marketing'
    | 'mixed'
    | 'low_volume'
    | 'polling'
    | 'higher_education'
    | 'public_service'
    | 'security_alert'
    | 'charity'
    | 'emergency')[]
  allowedCategories?: ('authentication' | 'transactional' | 'marketing' | 'conversational')[]
  description?: string | null
  messageFlow?: string | null
  samples?: string[]
  optInMessage?: string | null
  optOutMessage?: string | null
  helpMessage?: string | null
  keywords?: SmsKeywords
  embeddedLink?: boolean
  embeddedPhone?: boolean
  ageGated?: boolean
  directLending?: boolean
  /** A web page, https. */
  privacyPolicyUrl?: string | null
  /** A web page, https. */
  termsUrl?: string | null
  expectedMonthlyVolume?: number | null
  quietHours?: SmsQuietHours | null
  /** An id that starts with `smsbp_`. */
  businessProfileId?: string | null
}

export interface UpdateSmsProgram {
  name?: string
  channel?: '10dlc' | 'toll_free' | 'short_code' | 'international' | null
  useCase?:
    | '2fa'
    | 'account_notification'
    | 'customer_care'
    | 'delivery_notification'
    | 'fraud_alert'
    | 'marketing'
    | 'mixed'
    | 'low_volume'
    | 'polling'
    | 'higher_education'
    | 'public_service'
    | 'security_alert'
    | 'charity'
    | 'emergency'
    | null
  subUseCases?: (
    | '2fa'
    | 'account_notification'
    | 'customer_care'
    | 'delivery_notification'
    | 'fraud_alert'
    | 'marketing'
    | 'mixed'
    | 'low_volume'
    | 'polling'
    | 'higher_education'
    | 'public_service'
    | 'security_alert'
    | 'charity'
    | 'emergency')[]
  allowedCategories?: ('authentication' | 'transactional' | 'marketing' | 'conversational')[]
  description?: string | null
  messageFlow?: string | null
  samples?: string[]
  optInMessage?: string | null
  optOutMessage?: string | null
  helpMessage?: string | null
  keywords?: SmsKeywords
  embeddedLink?: boolean
  embeddedPhone?: boolean
  ageGated?: boolean
  directLending?: boolean
  /** A web page, https. */
  privacyPolicyUrl?: string | null
  /** A web page, https. */
  termsUrl?: string | null
  expectedMonthlyVolume?: number | null
  quietHours?: SmsQuietHours | null
  /** An id that starts with `smsbp_`. */
  businessProfileId?: string | null
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
