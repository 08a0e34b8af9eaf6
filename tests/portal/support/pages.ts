/** Every page of the portal, from its own tables, with what a test needs to know to open it. */
import { expect } from 'vitest'

interface PageRow {
  /** As the router writes it: `/p/$projectId/emails/$emailId`. */
  path: string
  /** The scope that shows it, `anybody` or `administrators`. */
  scope: string
}

// By variables, because the types of these tests do not know JSX.
const APPLICATION = '../../../portal/src/routes.tsx'
const DOOR = '../../../portal/src/pages/door/table.ts'

/** The pages of those who are signed in. What is served has no gallery. */
export async function applicationPages(): Promise<PageRow[]> {
  const { routes } = (await import(APPLICATION)) as { routes: PageRow[] }
  return routes.filter(({ path }) => path !== '/gallery')
}

/** The addresses of the pages before signing in. */
export async function doorPages(): Promise<string[]> {
  const table = (await import(DOOR)) as { doorPages: Record<string, unknown> }
  return Object.keys(table.doorPages)
}

/** The pages with their cases. A page without one, and a case without a page, fail the test. */
export async function withCases<Case>(cases: Readonly<Record<string, Case>>): Promise<(PageRow & { case: Case })[]> {
  const rows = await applicationPages()
  expect(Object.keys(cases).toSorted(), 'every page has a case').toEqual(rows.map(({ path }) => path).toSorted())
  return rows.map((row) => ({ ...row, case: cases[row.path]! }))
}

/** An address with the ids that its parameters stand for. */
export const filled = (path: string, ids: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const id = ids[name]
    if (id === undefined) throw new Error(`nobody said what $${name} of ${path} is`)
    return id
  })
