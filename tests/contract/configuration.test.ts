import { expect, test } from 'vitest'
import { settings } from '../../src/config/schema.ts'
import { DATABASE_IS_EMBEDDED, shownSettings } from '../../src/config/shown.ts'
import type { Setting } from '../../src/config/types.ts'

const all = Object.values<Setting<unknown>>(settings)

const shownOf = (variable: string, value: string) =>
  shownSettings({ [variable]: value }).find((setting) => setting.variable === variable)!

/** Their names speak of keys and secrets, but their values are paths, numbers and names of headers. */
const notSecret = new Set(['FIRST_KEYS_FILE', 'SMTP_TLS_KEY', 'DKIM_KEYS_AHEAD', 'SMS_IDEMPOTENCY_HEADER'])

test('every setting that is called a key, a secret, a token or a password is only shown as set', () => {
  const named = all.map(({ variable }) => variable).filter((name) => /KEY|SECRET|TOKEN|PASSWORD/.test(name))
  const secrets = named.filter((name) => !notSecret.has(name))
  expect(secrets.toSorted()).toEqual([
    'MASTER_KEY',
    'METRICS_TOKEN',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
    'SETUP_SECRET',
  ])
  for (const variable of secrets) {
    expect(shownOf(variable, 'hunter2-and-some-more-letters')).toMatchObject({ isSet: true, value: null })
  }
})

const urls: [given: string, shown: string][] = [
  ['postgres://mail:hunter2@db.internal:5432/posthouse', 'postgres://…@db.internal:5432/posthouse'],
  ['smtps://hunter2@relay.example:465', 'smtps://…@relay.example:465'],
  ['postgres://mail:hunter2@one,two:5433/posthouse?target_session_attrs=any', 'postgres://…@one,two:5433/posthouse?…'],
  ['postgresql:///posthouse?host=/run/postgresql&user=mail&password=hunter2', 'postgresql:///posthouse?…'],
  ['postgres://mail@/posthouse?password=a@hunter2', 'postgres://…'],
  ['postgres://mail:a?hunter2@db/posthouse', 'postgres://…'],
  ['postgres://mail:a#hunter2@db/posthouse', 'postgres://…'],
  ['postgres://mail:a/hunter2@db/posthouse', 'postgres://…@db/posthouse'],
  ['postgres://mail:a@hunter2@db/posthouse', 'postgres://…@db/posthouse'],
  ['https://s3.example/hooks#hunter2', 'https://s3.example/hooks?…'],
  ['smtp://relay.example', 'smtp://relay.example'],
]

test.each(urls)('of %s the page shows %s, whichever setting it is', (given, shown) => {
  const ofUrls = all.filter(({ form }) => form === 'URL').map(({ variable }) => variable)
  expect(ofUrls).toEqual(expect.arrayContaining(['DATABASE_URL', 'SMTP_RELAY_URL', 'RSPAMD_URL', 'S3_ENDPOINT']))
  for (const variable of ofUrls) expect(shownOf(variable, given).value).toBe(shown)
  expect(shown).not.toContain('hunter2')
})

test('the database that the supervisor brings along counts as not set', () => {
  const environment = { DATABASE_URL: 'postgres://posthouse@localhost/posthouse', [DATABASE_IS_EMBEDDED]: 'true' }
  expect(shownSettings(environment).filter(({ isSet }) => isSet)).toEqual([])
})
