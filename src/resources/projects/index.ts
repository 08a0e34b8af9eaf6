export { Projects } from './service.ts'
export { domainNotVerified, projectOfSender, senderNotAllowed } from './sender.ts'
