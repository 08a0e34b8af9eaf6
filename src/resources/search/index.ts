export { Addresses } from './addresses.ts'
export { Finder } from './service.ts'
