import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { world } from '../support/world.ts'

test('more passwords at once than we can hash are asked to come again, and count as no failures', async () => {
  const here = await world()
  const replies = await Promise.all(
    Array.from({ length: 70 }, (_, i) =>
      here.services.people.signIn
        .withPassword(
          { address: `10.0.${i}.1`, household: `10.0.${i}.1`, userAgent: '', tokenHash: undefined, requestId: 'req' },
          { email: `p${i}@example.com`, password: 'wrong' },
        )
        .catch((error: { code: string }) => error.code),
    ),
  )
  const counted = Object.entries(Object.groupBy(replies as string[], (code) => code)).map(([code, all]) => [
    code,
    all!.length,
  ])
  expect(Object.fromEntries(counted)).toEqual({ wrong_credentials: 52, unavailable: 18 })
  expect(await here.db.all(sql`select id from sign_in_failures`)).toHaveLength(52)
})
