import { invitation } from './invitation.ts'
import { invoice } from './invoice.ts'
import { newsletter } from './newsletter.ts'
import { notification } from './notification.ts'
import { passwordReset } from './password-reset.ts'
import { receipt } from './receipt.ts'
import type { Starter } from './starter.ts'
import { verifyAddress } from './verify-address.ts'
import { welcome } from './welcome.ts'

export type { Starter } from './starter.ts'

/** What a new project has, in the order in which it is likely to be wanted. */
export const starters = (): readonly Starter[] => [
  welcome,
  verifyAddress,
  passwordReset,
  receipt,
  invoice,
  invitation,
  notification,
  newsletter,
]
