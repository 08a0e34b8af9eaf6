import type { Route } from '../../http/route.ts'
import type { Sms } from './assemble.ts'
import { smsConsentRoutes } from './consents/routes.ts'
import { smsMessageRoutes } from './messages/routes.ts'
import { smsRecordRoutes } from './registration/routes.ts'
import { smsWalletRoutes } from './wallet/routes.ts'

export const smsRoutes = (sms: Sms): Route[] => [
  ...smsMessageRoutes(sms),
  ...smsWalletRoutes(sms.wallets),
  ...smsRecordRoutes(sms.records),
  ...smsConsentRoutes(sms.consents, sms.suppressions),
]
