export { PhoneBook, phoneFrom, phoneInFilter, type Phone } from './phones.ts'
export * as smsProjects from './store.ts'
export { gates, rate, type Gates, type Rate } from './store.ts'
