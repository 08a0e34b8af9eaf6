export { People } from './service.ts'
export { joinIn } from './new-person.ts'
