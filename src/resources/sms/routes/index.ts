import type { Route } from '../../../http/route.ts'
import type { Sms } from '../assemble.ts'
import { smsConsentRoutes } from './consents.ts'
import { smsMessageRoutes } from './messages.ts'
import { smsRecordRoutes } from './records.ts'
import { smsWalletRoutes } from './wallet.ts'

export const smsRoutes = (sms: Sms): Route[] => [
  ...smsMessageRoutes(sms),
  ...smsWalletRoutes(sms.wallets),
  ...smsRecordRoutes(sms.records),
  ...smsConsentRoutes(sms.consents, sms.suppressions),
]
