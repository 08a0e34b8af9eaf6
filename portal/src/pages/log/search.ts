import { moment, text } from '../../kit/address.ts'

/** What a project's log can be searched by. */
export const projectLogSearch = {
  actor: text(),
  action: text(),
  subject: text(),
  requestId: text(),
  after: moment(),
  before: moment(),
}

export const logSearch = { ...projectLogSearch, projectId: text() }
