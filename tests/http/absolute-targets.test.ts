/** RFC 9112 §3.2.2: a request may name its target as a whole URL, with a host of the caller's choice. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { linksOf, mailed, pathOf } from '../links/link-world.ts'
import { tenants, type Tenant } from '../support/world.ts'

const tenant = tenants()

const ELSEWHERE = 'http://elsewhere.example'

function get({ api }: Tenant, target: string): Promise<string> {
  const { hostname, port } = new URL(api.url)
  const socket = connect(Number(port), hostname)
  const key = `Authorization: Bearer ${api.key}`
  socket.write(`GET ${target} HTTP/1.1\r\nHost: ${hostname}\r\n${key}\r\nConnection: close\r\n\r\n`)
  return text(socket)
}

test('what a key opens is kept by nobody, however its address is spelled', async () => {
  const here = await tenant()
  const answer = await get(here, `${ELSEWHERE}/api/v1/projects`)
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(answer).toContain('\r\ncache-control: no-store\r\n')
})

test('a page leads to no host that the request has named', async () => {
  const here = await tenant()
  const path = pathOf(linksOf(here).unsubscribe(await mailed(here)))
  for (const page of [path, `${path}/preferences`]) {
    const answer = await get(here, `${ELSEWHERE}${page}`)
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer).toContain(`action="${page}"`)
    expect(answer).not.toContain('elsewhere')
  }
})
