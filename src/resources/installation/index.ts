export { HostLooks } from './host-looks.ts'
export { nodeIdOf, NodeReports, type RoleNow } from './node-reports.ts'
export { Installation } from './service.ts'
export type { InstallationFacts } from './views.ts'
