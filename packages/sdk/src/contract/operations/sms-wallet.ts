// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  SmsWallet,
  SmsLedgerEntry,
  SmsLedgerEntryPage,
  SmsPeriod,
  SmsPeriodPage,
  SmsTopUp,
  SmsTopUpPage,
} from '../shapes/sms-wallet.ts'

export interface SmsWalletOperations {
  /** Read what is in the wallet. */
  'GET /sms/wallet': {
    params: undefined
    query: {
      /** Which wallet; the live one if the project sends live, else the test one. */
      mode?: 'test' | 'live'
    }
    body: undefined
    reply: SmsWallet
    scope: 'sms:billing:read'
    context: 'project'
    reads: true
  }
  /** Read what is in the wallet. */
  'GET /sms/wallet/balance': {
    params: undefined
    query: {
      /** Which wallet; the live one if the project sends live, else the test one. */
      mode?: 'test' | 'live'
    }
    body: undefined
    reply: SmsWallet
    scope: 'sms:billing:read'
    context: 'project'
    reads: true
  }
  /** Read what is in the wallet. */
  'GET /sms/wallet/state': {
    params: undefined
    query: {
      /** Which wallet; the live one if the project sends live, else the test one. */
      mode?: 'test' | 'live'
    }
    body: undefined
    reply: SmsWallet
    scope: 'sms:billing:read'
    context: 'project'
    reads: true
  }
  /** List the movements of money, newest first. */
  'GET /sms/wallet/ledger': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** Which wallet; the live one if the project sends live, else the test one. */
      mode?: 'test' | 'live'
      type?:
        | 'top_up'
        | 'top_up_reversal'
        | 'reservation'
        | 'charge'
        | 'release'
        | 'refund'
        | 'adjustment'
      /** An id that starts with `sms_`. */
      messageId?: string
      /** An id that starts with `smtu_`. */
      topUpId?: string
      /** ISO 8601 with an offset or `Z`. */
      createdAfter?: string
      /** ISO 8601 with an offset or `Z`. */
      createdBefore?: string
    }
    body: undefined
    reply: SmsLedgerEntryPage
    scope: 'sms:billing:read'
    context: 'project'
    reads: true
  }
  /** Read one movement. */
  'GET /sms/wallet/ledger/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: SmsLedgerEntry
    scope: 'sms:billing:read'
    context: 'project'
    reads: true
  }
  /** List the months of the wallet. */
  'GET /sms/wallet/periods': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** Which wallet; the live one if the project sends live, else the test one. */
      mode?: 'test' | 'live'
    }
    body: undefined
    reply: SmsPeriodPage
    scope: 'sms:billing:read'
    context: 'project'
    reads: true
  }
  /** Read one month. */
  'GET /sms/wallet/periods/:id': {
    params: { id: string }
    query: {
      /** Which wallet; the live one if the project sends live, else the test one. */
      mode?: 'test' | 'live'
    }
    body: undefined
    reply: SmsPeriod
    scope: 'sms:billing:read'
    context: 'project'
    reads: true
  }
  /** List what was paid in. */
  'GET /sms/wallet/top-ups': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      /** Which wallet; the live one if the project sends live, else the test one. */
      mode?: 'test' | 'live'
    }
    body: undefined
    reply: SmsTopUpPage
    scope: 'sms:billing:read'
    context: 'project'
    reads: true
  }
  /** Read one top-up. */
  'GET /sms/wallet/top-ups/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: SmsTopUp
    scope: 'sms:billing:read'
    context: 'project'
    reads: true
  }
}
