import type { Services } from '../../src/app/compose.ts'
import { doorRoutes } from '../../src/door/routes.ts'
import { neverExisted } from '../contract/requests.ts'

/** The routes of the door, to list them: nothing is served with these. */
export const routesOfDoor = (services: Services): ReturnType<typeof doorRoutes> =>
  doorRoutes({
    ...services,
    persons: { identify: services.sessionIdentifier.identify, publicUrl: services.config.publicUrl },
    installation: {
      version: '',
      publicUrl: '',
      sandboxSender: '',
      simulatorDomain: '',
      systemSender: null,
      sms: false,
    },
  })

/** The path of such a route, about something that never existed. */
export const filledPath = (path: string): string =>
  path.replace(/:id$/, () => neverExisted(path.includes('passkeys') ? 'psk' : 'ses'))
