import type { JsonOperation } from '@posthouse/sdk'
import { ask, call, useChange } from '../../shell/api.ts'

const MAX_SESSIONS = 100

export const sessions = () => ask('GET /session/me/sessions', { query: { limit: MAX_SESSIONS } })

const me: readonly JsonOperation[] = ['GET /session']
/** These end other sessions, too. */
const meAndSessions: readonly JsonOperation[] = ['GET /session', 'GET /session/me/sessions']

export const useUpdateMe = () => useChange('PATCH /session/me', me)
export const useSetPassword = () => useChange('POST /session/me/password', meAndSessions)

export const passkeyOptions = () => call('POST /session/me/passkeys/options')
export const useAddPasskey = () => useChange('POST /session/me/passkeys', me)
export const useRenamePasskey = () => useChange('PATCH /session/me/passkeys/:id', me)
export const useRemovePasskey = () => useChange('DELETE /session/me/passkeys/:id', meAndSessions)

/** Nothing is asked anew before the codes are confirmed: until then they do not count. */
export const useBeginTotp = () => useChange('POST /session/me/totp', [])
export const useConfirmTotp = () => useChange('POST /session/me/totp/confirm', meAndSessions)
export const useRemoveTotp = () => useChange('DELETE /session/me/totp', meAndSessions)

export const useEndSession = () => useChange('DELETE /session/me/sessions/:id', ['GET /session/me/sessions'])
export const useEndOthers = () => useChange('DELETE /session/me/sessions', ['GET /session/me/sessions'])
