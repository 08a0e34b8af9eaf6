export { AuditLog } from './service.ts'
