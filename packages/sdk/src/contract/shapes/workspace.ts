// Made by `npm run generate`; change the routes and their schemas, not this file.

export interface Workspace {
  id: string
  name: string
  /** A person stays signed in for at most so many days. */
  sessionDays: number
  /** A person is signed out after so many hours without a request. */
  sessionIdleHours: number
  /** With `required`, a person without a passkey or an authenticator can do nothing but add one. */
  secondFactor: 'optional' | 'required'
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

export interface UpdateWorkspace {
  name?: string
  sessionDays?: number | null
  sessionIdleHours?: number | null
  secondFactor?: 'optional' | 'required'
}
