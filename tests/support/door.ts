import type { Services } from '../../src/app/compose.ts'
import type { DoorOptions } from '../../src/door/door.ts'

/** What the routes of the door are made of, in order to look at them. */
export const doorOf = (services: Services): DoorOptions => ({
  ...services,
  persons: { identify: services.sessionIdentifier.identify, publicUrl: services.config.publicUrl },
  installation: { version: '', publicUrl: '', sandboxSender: '', simulatorDomain: '', systemSender: null, sms: false },
})
