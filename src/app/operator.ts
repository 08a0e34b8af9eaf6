export { operator } from '../resources/keys/index.ts'
