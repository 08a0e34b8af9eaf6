import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { world } from '../support/world.ts'

test('more passwords at once than we can hash are asked to come again, and count as no failures', async () => {
  const here = await world()
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      here.services.people.signIn
        .withPassword(
          { address: `10.0.${i}.1`, household: `10.0.${i}.1`, userAgent: '', tokenHash: undefined, requestId: 'req' },
          { email: `p${i}@example.com`, password: 'wrong' },
        )
        .catch((error: { code: string }) => error.code),
    ),
  )
  const countOf = (code: string): number => replies.filter((reply) => reply === code).length
  expect(countOf('wrong_credentials') + countOf('unavailable')).toBe(replies.length)
  expect(countOf('unavailable')).toBeGreaterThan(0)
  expect(await here.db.all(sql`select id from sign_in_failures`)).toHaveLength(countOf('wrong_credentials'))
})
