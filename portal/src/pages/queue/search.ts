import { oneOf } from '../../kit/address.ts'

/** The parameters of the list: without one it shows what needs a look. */
export const queueSearch = { show: oneOf(['all']) }
