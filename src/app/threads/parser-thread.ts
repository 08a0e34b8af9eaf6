/** A thread that parses what strangers wrote. It holds nothing, knows no database, and may be ended at any moment. */
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../core/clock.ts'
import { armFailpoints, failpoint } from '../../core/failpoint.ts'
import { authResultsOf } from '../../mail/parse/authentication.ts'
import { parseMessage } from '../../mail/parse/parsed-message.ts'
import { DnsResolver } from '../../net/dns.ts'
import { Pulse } from './pulse.ts'
import type { AnswerTo, Question, ParserData } from './parser-messages.ts'
import { stepBack } from './step-back.ts'

armFailpoints(process.env['POSTHOUSE_FAILPOINTS'] ?? '')
const { hostname, dnsServers, isRelayed } = workerData as ParserData
const dns = new DnsResolver({ servers: dnsServers, clock: systemClock })

const pulse = new Pulse()
stepBack()
parentPort?.on('message', ({ id, question }: { id: number; question: Question }) => {
  void answerTo(question).then(
    (answer) => parentPort?.postMessage({ id, answer }),
    (error: unknown) => parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) }),
  )
})
parentPort?.postMessage('ready')

async function answerTo(question: Question): Promise<AnswerTo[Question['type']]> {
  switch (question.type) {
    case 'read': {
      const { envelopeFrom, isDomainReport } = question
      await failpoint('reading.parse', bytesOf(question).toString('latin1', 0, 1_000))
      return parseMessage(bytesOf(question), { envelopeFrom, hostname, isRelayed, isDomainReport })
    }
    case 'authResults': {
      await failpoint('reading.verify', bytesOf(question).toString('latin1', 0, 1_000))
      const start = performance.now()
      const authResults = await authResultsOf(bytesOf(question), question.sender, { dns, hostname })
      return { authResults, wasHeldUp: pulse.stoppedSince(start) }
    }
  }
}

const bytesOf = ({ bytes }: { bytes: Uint8Array }): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
