import { hash } from 'node:crypto'
import { relaxedLines, withoutEmptyEnd } from '../../src/mail/compose/canonical.ts'

/** As a verifier computes it, for any body. */
export const bodyHashOf = (body: Buffer): string => hash('sha256', withoutEmptyEnd(relaxedLines(body)), 'base64')
