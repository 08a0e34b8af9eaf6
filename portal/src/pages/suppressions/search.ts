import { moment, oneOf, text } from '../../kit/address.ts'

export const suppressionReasons = ['bounce', 'spam', 'manual'] as const

/** The parameters of the list. */
export const suppressionsSearch = { email: text(), reason: oneOf(suppressionReasons), after: moment() }
