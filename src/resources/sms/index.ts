import type { Route } from '../../http/route.ts'
import type { Sms } from './assemble.ts'
import { smsConsentRoutes } from './routes/consents.ts'
import { smsMessageRoutes } from './routes/messages.ts'
import { smsRecordRoutes } from './routes/records.ts'
import { smsWalletRoutes } from './routes/wallet.ts'

export { assembleSms, type Sms } from './assemble.ts'
export type { ConnectionTraits } from './connections.ts'
export { smsJobs } from './jobs.ts'
export { SmsLookups } from './lookups.ts'
export { formatAmount, parseAmount } from './money.ts'
export { sendCategories } from './schema/messages.ts'
export { senderTypes } from './schema/records.ts'
export { SmsSubmitter } from './submit.ts'

export const smsRoutes = (sms: Sms): Route[] => [
  ...smsMessageRoutes(sms),
  ...smsWalletRoutes(sms.wallets),
  ...smsRecordRoutes(sms.records),
  ...smsConsentRoutes(sms.consents, sms.suppressions),
]
