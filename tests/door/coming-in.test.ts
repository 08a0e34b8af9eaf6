import { expect, test } from 'vitest'
import { world, type World } from '../support/world.ts'
import { visitor } from '../support/people.ts'

const PASSWORD = 'gravel teapot under nine bridges'

test('with the link of the first start somebody becomes the owner, is signed in, and signs in again', async () => {
  const here = await world()
  const browser = visitor(here)
  expect(await browser.get('/session')).toMatchObject({
    status: 401,
    body: { code: 'unauthorized', setUp: false, ways: ['passkey', 'password'] },
  })
  const token = await setupToken(here)
  const me = { name: 'Ada Lovelace', email: 'ada@example.com', workspaceName: 'Engines' }
  const first = await browser.post('/session/setup', { token, ...me, password: PASSWORD })
  expect(first).toMatchObject({
    status: 201,
    body: {
      person: { name: 'Ada Lovelace', email: 'ada@example.com', hasPassword: true, passkeys: [], totp: false },
      workspace: { name: 'Engines' },
      roles: { workspace: 'owner', projects: [] },
      projects: [{ id: here.projectId, status: 'active', maySend: true, reads: [] }],
      installation: { systemSender: null, sandboxSender: 'sandbox@sandbox.posthouse.test' },
    },
  })
  expect(first.headers.get('cache-control')).toBe('no-store')
  expect(first.headers.get('set-cookie')).toMatch(
    /^posthouse=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  expect((await browser.get('/session')).status).toBe(200)
  expect((await browser.get('projects')).status).toBe(200)

  const out = await browser.delete('/session')
  expect(out.headers.get('clear-site-data')).toBe('"cache", "storage"')
  expect(browser.cookie).toBeUndefined()
  expect(await browser.get('/session')).toMatchObject({ status: 401, body: { setUp: true } })

  expect((await browser.post('/session/password', { email: 'ADA@example.com', password: PASSWORD })).status).toBe(200)
  expect((await browser.get('/session')).status).toBe(200)
  expect((await browser.post('/session/setup', { token, ...me, password: PASSWORD })).body['code']).toBe('link_used')
})

async function setupToken({ services }: World): Promise<string> {
  const link = await services.people.settingUp.newLink((await services.projects.workspace())!)
  return link!.split('#')[1]!
}
