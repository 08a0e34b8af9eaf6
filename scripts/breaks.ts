/** A promise, one way to break it, and the tests that have to notice. */
export interface Break {
  /** Its number in docs/promises.md. */
  promise: string
  what: string
  file: string
  from: string
  to: string
  test: string
}

export const breaks: readonly Break[] = [
  {
    promise: '8',
    what: 'unsafe database settings are accepted',
    file: 'src/app/database.ts',
    from: 'await refuseUnsafe(db)',
    to: '',
    test: 'tests/processes',
  },
  {
    promise: '16',
    what: 'a replay does not look at the payload',
    file: 'src/http/idempotency.ts',
    from: '!stored.fingerprint.equals(claim.fingerprint)',
    to: 'false',
    test: 'tests/http/idempotency.test.ts',
  },
  {
    promise: '22',
    what: 'everybody is told to wait one second',
    file: 'src/http/rate-limit.ts',
    from: 'Math.max(1, Math.ceil((purse.promisedUntil - now) / 1_000))',
    to: '1',
    test: 'tests/http/rate-limit.test.ts',
  },
  {
    promise: '29',
    what: 'the health probe wants a key, and so the database',
    file: 'src/http/server.ts',
    from: "if (route.context !== 'none') await admit(",
    to: 'await admit(',
    test: 'tests/processes/outages.test.ts',
  },
  {
    promise: '32',
    what: 'text that cannot be stored reaches the database',
    file: 'src/http/body.ts',
    from: "text.isWellFormed() && !text.includes('\\0')",
    to: 'text.length >= 0',
    test: 'tests/contract/fuzz.test.ts',
  },
  {
    promise: '35',
    what: 'a bound key sees the projects of its neighbours',
    file: 'src/resources/projects/store.ts',
    from: ' and id = coalesce(${projectId}::uuid, id)',
    to: ' and coalesce(${projectId}::uuid, id) is not null',
    test: 'tests/contract/isolation.test.ts',
  },
  {
    promise: '36',
    what: 'scopes are not asked for',
    file: 'src/http/authenticate.ts',
    from: 'if (!grants(caller, scope))',
    to: 'if (false as boolean)',
    test: 'tests/contract/permissions.test.ts',
  },
  {
    promise: '37',
    what: 'a key may make a broader one',
    file: 'src/core/scopes.ts',
    from: "if (child.fullAccess) return ['*']",
    to: 'if (child.fullAccess) return []',
    test: 'tests/contract/child-keys.test.ts',
  },
  {
    promise: '38',
    what: 'a revoked key is still looked up',
    file: 'src/resources/keys/store.ts',
    from: 'where key.revoked_at is null\n       and',
    to: 'where',
    test: 'tests/contract/revocation.test.ts',
  },
  {
    promise: '44',
    what: 'the log shows the key',
    file: 'src/http/server.ts',
    from: "encodeId('key', request.access.caller.keyId)",
    to: 'request.headers.authorization',
    test: 'tests/contract/secrets.test.ts',
  },
]
