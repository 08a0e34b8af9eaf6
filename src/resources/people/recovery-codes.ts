import { randomBytes } from 'node:crypto'
import { hashToken } from '../../core/secret-token.ts'
import { base32 } from './totp.ts'

const CODES = 10
/** 80 bits: too many to be guessed from their hash. */
const CODE_BYTES = 10

/** For a person who has lost their authenticator: `abcd-efgh-ijkl-mnop`, each good once. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: CODES }, () =>
    base32(randomBytes(CODE_BYTES))
      .toLowerCase()
      .replaceAll(/.{4}(?=.)/g, '$&-'),
  )

/** However it was typed. */
export const hashRecoveryCode = (code: string): Buffer => hashToken(code.toLowerCase().replaceAll(/[^a-z2-7]/g, ''))
