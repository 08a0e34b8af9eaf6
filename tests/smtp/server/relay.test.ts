import { expect, test } from 'vitest'
import { inboundWorld } from './world.ts'

/** Ways to ask a server for `known.test` to pass mail on to `victim@other.test`. */
const spellings = [
  '<victim@other.test>',
  '<victim@OTHER.test>',
  '<victim%other.test@known.test>',
  '<victim%other.test@[127.0.0.1]>',
  '<victim%other.test@mx.known.test>',
  '<victim%other.test%known.test@known.test>',
  '<"victim%other.test"@known.test>',
  '<victim%other.test>',
  '<victim%other.test@>',
  '<other.test!victim@known.test>',
  '<known.test!other.test!victim@known.test>',
  '<"other.test!victim"@known.test>',
  '<other.test!victim>',
  '<known.test!victim@other.test>',
  '<"victim@other.test"@known.test>',
  '<"victim@other.test">',
  '<"victim\\@other.test"@known.test>',
  '<"victim"@other.test>',
  '<victim@other.test@known.test>',
  '<victim@known.test@other.test>',
  '<@known.test:victim@other.test>',
  '<@known.test,@other.test:victim@other.test>',
  '<@other.test:ann@known.test>',
  '<@known.test:victim%other.test@known.test>',
  '<@known.test:"victim@other.test"@known.test>',
  '<@[127.0.0.1]:victim@other.test>',
  '<victim@[192.0.2.1]>',
  '<victim@[IPv6:::1]>',
  '<victim@[127.0.0.1]>',
  '<victim@192.0.2.1>',
  '<victim@known.test.other.test>',
  '<victim@notknown.test>',
  '<victim@other.test.>',
  '<ann@known.test.>',
  '<victim@other.test\0@known.test>',
  '<victim@other.test,ann@known.test>',
  '<victim@other.test>, <ann@known.test>',
  '<victim@other.test> <ann@known.test>',
  '<<victim@other.test>@known.test>',
  '<ann@known.test> ORCPT=rfc822;victim@other.test',
  'victim@other.test',
  ' victim@other.test',
  'victim%other.test@known.test',
  'other.test!victim@known.test',
  'ann@known.test victim@other.test',
  'ann@known.test,victim@other.test',
  '"victim@other.test"',
  '<victim@other.test',
  'victim@other.test <ann@known.test>',
  '<ann(victim@other.test)@known.test>',
  '<victim@other.test(@known.test)>',
  '<victim@other.test:ann@known.test>',
  '<victim@known.test/other.test>',
  '<victim@known.test%other.test>',
  '<\u200bvictim@other.test>',
  '<victim@\uff4fther.test>',
  '<victim\uff20other.test@known.test>',
  '<victim\uff05other.test@known.test>',
  '<>',
]

test.each(spellings)('%s is no way through', async (spelling) => {
  const asked: string[] = []
  const { call, delivered } = await inboundWorld({
    policy: {
      recipient: ({ domain, email }) => {
        asked.push(email)
        return domain === 'known.test' ? 'accept' : { code: 550, enhanced: '5.7.1', text: 'Not our domain' }
      },
    },
  })
  const caller = await call()
  await caller.hello()
  expect(await caller.codes('MAIL FROM:<a@client.test> SMTPUTF8')).toBe('250')
  expect(await caller.ask(`RCPT TO:${spelling}`)).toMatch(/^5\d\d 5\.\d\.\d /)
  expect(await caller.codes('DATA')).toMatch(/^5/)
  expect(asked.filter((email) => email.endsWith('@known.test'))).toEqual([])
  expect(delivered).toEqual([])
})

test.each([
  '<ann@known.test>',
  'ann@known.test',
  ' ann@known.test',
  '<ANN@Known.Test>',
  '<"ann"@known.test>',
  '<a=b+c/d@known.test>',
  '<"a b"@known.test>',
])('%s is at home', async (spelling) => {
  const { call } = await inboundWorld()
  const caller = await call()
  await caller.hello()
  expect(await caller.codes('MAIL FROM:<>', `RCPT TO:${spelling}`)).toBe('250 250')
})
