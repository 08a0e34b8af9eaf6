import { oneOf } from '../../kit/address.ts'

export const projectsSearch = { status: oneOf(['active', 'paused', 'archived']) }
