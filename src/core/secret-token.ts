import { hash, randomBytes } from 'node:crypto'

/** What a one-time link is for stands in front, so that a person and a secret scanner recognise it. */
export type TokenPrefix = 'ps_' | 'pi_' | 'pr_' | ''

/** 256 random bits. Only the hash is ever stored. */
export const newSecretToken = (prefix: TokenPrefix = ''): string => `${prefix}${randomBytes(32).toString('base64url')}`

/**
 * A token in the wrong place, as the name of a field, is not repeated: answers end up in logs that others read. Tokens
 * that were mailed begin with `pm_`.
 */
export const withoutTokens = (text: string): string => text.replaceAll(/\b(p[simr]_)[\w-]{20,}/g, '$1…')

/** 256 random bits need no slow hash. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
