import { oneOf } from '../../kit/address.ts'

export const domainStates = ['pending', 'verified', 'warning', 'failed'] as const

/** The parameters of the list. */
export const domainsSearch = { status: oneOf(domainStates) }
