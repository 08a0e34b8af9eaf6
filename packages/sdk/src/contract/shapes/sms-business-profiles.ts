// Made by `npm run generate`; change the routes and their schemas, not this file.

export interface SmsBusinessAddress {
  line1: string
  line2?: string | null
  city: string
  region?: string | null
  postalCode: string
  /** ISO 3166, two letters. */
  country: string
}

export interface SmsBusinessContact {
  firstName: string
  lastName: string
  /** An email address. */
  email: string
  /** A phone number in E.164 form. */
  phone: string
}

export interface SmsBusinessProfile {
  id: string
  projectId: string
  legalName: string | null
  displayName: string | null
  entityType:
    | 'private_profit'
    | 'public_profit'
    | 'non_profit'
    | 'government'
    | 'sole_proprietor'
    | null
  registrationType: string | null
  /** ISO 3166, two letters. */
  registrationCountry: string | null
  address: SmsBusinessAddress | null
  /** A web page, https. */
  website: string | null
  vertical: string | null
  contact: SmsBusinessContact | null
  stockSymbol: string | null
  exchange: string | null
  registrationNumberLast2: string | null
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

export interface SmsBusinessProfilePage {
  data: SmsBusinessProfile[]
  hasMore: boolean
  nextCursor: string | null
}

export interface SmsRejection {
  field: string
  code: string
  message: string
}

export interface CreateSmsBusinessProfile {
  legalName?: string | null
  displayName?: string | null
  entityType?:
    | 'private_profit'
    | 'public_profit'
    | 'non_profit'
    | 'government'
    | 'sole_proprietor'
    | null
  registrationType?: string | null
  /** ISO 3166, two letters. */
  registrationCountry?: string | null
  address?: SmsBusinessAddress | null
  /** A web page, https. */
  website?: string | null
  vertical?: string | null
  contact?: SmsBusinessContact | null
  stockSymbol?: string | null
  exchange?: string | null
  /** Shown afterwards by its last two characters. */
  registrationNumber?: string | null
}

export interface UpdateSmsBusinessProfile {
  legalName?: string | null
  displayName?: string | null
  entityType?:
    | 'private_profit'
    | 'public_profit'
    | 'non_profit'
    | 'government'
    | 'sole_proprietor'
    | null
  registrationType?: string | null
  /** ISO 3166, two letters. */
  registrationCountry?: string | null
  address?: SmsBusinessAddress | null
  /** A web page, https. */
  website?: string | null
  vertical?: string | null
  contact?: SmsBusinessContact | null
  stockSymbol?: string | null
  exchange?: string | null
  /** Shown afterwards by its last two characters. */
  registrationNumber?: string | null
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
