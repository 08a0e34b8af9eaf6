import { Badge, type StateTone } from '../../kit/badge.tsx'
import { Facts } from '../../kit/facts.tsx'
import { formatBytes } from '../../kit/format.ts'
import { Id } from '../../kit/id.tsx'
import { Foreign, Quiet, Row, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { words } from '../../words/words.ts'
import type { Received } from './data.ts'

const said = words.inbox

const checks = ['spf', 'dkim', 'dmarc', 'arc'] as const

const tones: Readonly<Record<string, StateTone>> = { pass: 'ok', fail: 'bad', softfail: 'warn', permerror: 'warn' }

/** What the sender could prove, each with what it means. */
export const Proofs = ({ mail }: { mail: Received }) => (
  <Stack>
    {checks.map((check) => {
      const verdict = mail.auth[check]
      return (
        <Stack key={check} isTight>
          <Row>
            <Badge tone={verdict === null ? 'none' : (tones[verdict] ?? 'none')}>
              {said.proof.verdict(check.toUpperCase(), verdict)}
            </Badge>
          </Row>
          <Quiet isSmall>{said.proof.means[check]}</Quiet>
        </Stack>
      )
    })}
  </Stack>
)

interface Mailbox {
  email: string
  name: string
}

const People = ({ people }: { people: readonly Mailbox[] }) => (
  <Stack isTight>
    {people.map(({ email, name }, place) => (
      <span key={place}>
        <Foreign text={name === '' ? email : `${name} <${email}>`} />
      </span>
    ))}
  </Stack>
)

export function FactsOf({ mail }: { mail: Received }) {
  const { facts } = said
  const { transport, envelope } = mail
  return (
    <Facts
      facts={[
        mail.from !== null && { name: facts.from, value: <People people={[mail.from]} /> },
        mail.replyTo.length > 0 && { name: facts.replyTo, value: <People people={mail.replyTo} /> },
        mail.to.length > 0 && { name: facts.to, value: <People people={mail.to} /> },
        mail.cc.length > 0 && { name: facts.cc, value: <People people={mail.cc} /> },
        { name: facts.deliveredTo, value: <Foreign text={envelope.to} /> },
        { name: facts.returnPath, value: <Foreign text={envelope.from ?? facts.nullSender} /> },
        { name: facts.received, value: <Time at={mail.receivedAt} form="short" /> },
        { name: facts.size, value: formatBytes(mail.size) },
        mail.spam !== null && { name: facts.spam, value: String(mail.spam) },
        { name: facts.client, value: <Foreign text={`${transport.helo} [${transport.remoteAddress}]`} /> },
        {
          name: facts.tls,
          value: transport.tls === null ? facts.plain : `${transport.tls.version} ${transport.tls.cipher}`,
        },
        mail.inReplyTo !== null && { name: words.emails.facts.inReplyTo, value: <Foreign text={mail.inReplyTo} /> },
        mail.messageIdHeader !== null && {
          name: words.emails.facts.messageId,
          value: <Id id={mail.messageIdHeader} copyLabel={words.kit.copyThing(words.emails.facts.messageId)} />,
        },
        { name: words.emails.facts.id, value: <Id id={mail.id} /> },
      ]}
    />
  )
}
