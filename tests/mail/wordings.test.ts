import { expect, test } from 'vitest'
import { classify } from '../../src/delivery/mail/classify.ts'
import { readMimeMessage } from '../../src/mail/parse/mime-message.ts'
import { quotedReply } from '../../src/mail/replies/reply.ts'
import { noticeIn } from '../../src/mail/reports/notice.ts'
import { readReport } from '../../src/mail/reports/report.ts'
import type { Stage } from '../../src/smtp/client/attempt.ts'
import { wordings, type Wording } from './wordings.ts'

const ways = ['direct', 'relay'] as const
const stages = ['greeting', 'ehlo', 'mail', 'rcpt', 'data', 'dot'] as const
const places = ways.flatMap((way) => [...stages, 'report' as const].map((stage) => ({ way, stage })))
type Place = (typeof places)[number]

/** What becomes of the recipient for it. */
function stateAfter({ reply, host }: Wording, { way, stage }: Place): string {
  const isRelayed = way === 'relay'
  if (stage !== 'report') return heardLive(reply, host, stage, isRelayed)
  const notice = noticeIn(readReport(readMimeMessage(Buffer.from(reportOf(reply, host)))), { isRelayed })
  return notice.kind === 'failure' ? notice.state : notice.kind
}

function heardLive(reply: string, host: string, stage: Stage, isRelayed: boolean): string {
  const peer = {
    host: isRelayed ? 'smtp.relay.example' : host,
    address: '192.0.2.1',
    source: undefined,
    tls: undefined,
  }
  const result = { kind: 'refused', stage, reply: quotedReply(reply)! } as const
  return classify({ result, peer, milliseconds: 1, ...(isRelayed ? { isRelayed } : {}) }).kind
}

const reportOf = (reply: string, host: string): string =>
  [
    'From: MAILER-DAEMON@mx.example.net',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.net',
    '',
    'Final-Recipient: rfc822; ann@example.net',
    'Action: failed',
    `Status: ${quotedReply(reply)?.enhanced ?? `${reply[0]}.0.0`}`,
    `Remote-MTA: dns; ${host}`,
    `Diagnostic-Code: smtp; ${reply}`,
    '--b--',
    '',
  ].join('\r\n')

/** The state that suppresses, where there may be one. */
function wanted({ suppresses }: Wording, { way, stage }: Place): 'bounced' | 'filteredspam' | undefined {
  if (stage === 'greeting' || stage === 'ehlo' || stage === 'mail') return undefined
  if (suppresses === 'code') return 'bounced'
  if (way === 'relay') return undefined
  if (suppresses === 'words') return stage === 'rcpt' || stage === 'report' ? 'bounced' : undefined
  if (suppresses === 'spam!') return 'filteredspam'
  return suppresses === 'spam' && (stage === 'dot' || stage === 'report') ? 'filteredspam' : undefined
}

const differences = (all: readonly Wording[]): string[] =>
  all.flatMap((wording) =>
    places.flatMap((place) => {
      const state = stateAfter(wording, place)
      const suppressing = state === 'bounced' || state === 'filteredspam' ? state : undefined
      if (suppressing === wanted(wording, place)) return []
      return [`${place.way} ${place.stage}: ${state}, not ${wanted(wording, place) ?? 'without'}: ${wording.reply}`]
    }),
  )

test('there are many wordings, none twice, and most are not about the recipient', () => {
  expect(new Set(wordings.map(({ host, reply }) => `${host} ${reply}`)).size).toBe(wordings.length)
  expect(wordings.length).toBeGreaterThanOrEqual(600)
  expect(wordings.filter(({ suppresses }) => suppresses === 'never').length).toBeGreaterThanOrEqual(460)
  for (const { host, reply } of wordings) {
    expect(host, reply).not.toBe('')
    expect(quotedReply(reply)?.code, reply).toBeGreaterThanOrEqual(400)
  }
})

test.each([...new Set(wordings.map(({ reason }) => reason))])('%s', (reason) => {
  expect(differences(wordings.filter((wording) => wording.reason === reason))).toEqual([])
})

test('what passes is tried again, wherever it is heard', () => {
  for (const { reply, host } of wordings.filter((wording) => wording.reply.startsWith('4'))) {
    for (const stage of stages) {
      for (const isRelayed of [true, false]) expect(heardLive(reply, host, stage, isRelayed), reply).toBe('deferred')
    }
  }
})
