import type { ReactNode } from 'react'
import { Json } from '../../kit/code.tsx'
import { Facts } from '../../kit/facts.tsx'
import { Id, shortId } from '../../kit/id.tsx'
import { Link } from '../../kit/link.tsx'
import { stringifySearch } from '../../kit/address.ts'
import { Foreign, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import type { Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { useTemplateName, type Email } from './data.ts'

const said = words.emails.facts

export function FactsOf({ email, project }: { email: Email; project: Project }) {
  const templateName = useTemplateName(project, email.templateId)
  const list = (parameters: Record<string, string>): string => to.emails(project.id) + stringifySearch(parameters)
  return (
    <Facts
      facts={[
        { name: said.from, value: <Foreign text={email.from} /> },
        email.replyTo.length > 0 && { name: said.replyTo, value: <Foreign text={email.replyTo.join(', ')} /> },
        email.templateId !== null && {
          name: said.template,
          value: (
            <Link to={list({ template: email.templateId })}>
              {said.templateVersion(templateName ?? email.templateId, email.templateVersion ?? 1)}
            </Link>
          ),
        },
        has(email.tags) && {
          name: said.tags,
          value: <Pairs pairs={email.tags} toOf={(name, value) => list({ tag: `${name}:${value}` })} />,
        },
        has(email.metadata) && { name: said.metadata, value: <Pairs pairs={email.metadata} /> },
        has(email.variables) && {
          name: said.variables,
          value: <Json value={email.variables} label={said.variables} wraps />,
        },
        email.batchId !== null && {
          name: said.batch,
          value: <Link to={list({ batch: email.batchId })}>{email.batchId}</Link>,
        },
        email.broadcastId !== null && { name: said.broadcast, value: <Id id={email.broadcastId} /> },
        email.automationRunId !== null && { name: said.run, value: <Id id={email.automationRunId} /> },
        email.inReplyTo !== null && { name: said.inReplyTo, value: <Foreign text={email.inReplyTo} /> },
        (email.tracking.opens || email.tracking.clicks) && { name: said.tracking, value: trackingOf(email) },
        email.resentFrom !== null && {
          name: said.resentFrom,
          value: <Link to={to.email(project.id, email.resentFrom)}>{shortId(email.resentFrom)}</Link>,
        },
        { name: said.accepted, value: <Time at={email.createdAt} form="short" /> },
        email.sendAt !== null && { name: said.sendAt, value: <Time at={email.sendAt} form="short" /> },
        email.sentAt !== null && { name: said.sent, value: <Time at={email.sentAt} form="short" /> },
        {
          name: said.messageId,
          value: <Id id={email.messageIdHeader} copyLabel={words.kit.copyThing(said.messageId)} />,
        },
        { name: said.id, value: <Id id={email.id} /> },
      ]}
    />
  )
}

const has = (record: object): boolean => Object.keys(record).length > 0

interface PairsProps {
  pairs: Readonly<Record<string, string>>
  toOf?: (name: string, value: string) => string
}

const Pairs = ({ pairs, toOf }: PairsProps) => (
  <Stack isTight>
    {Object.entries(pairs).map(([name, value]): ReactNode => {
      const text = <Foreign text={`${name}:${value}`} />
      return toOf === undefined ? (
        <span key={name}>{text}</span>
      ) : (
        <Link key={name} to={toOf(name, value)}>
          {text}
        </Link>
      )
    })}
  </Stack>
)

const trackingOf = ({ tracking }: Email): string =>
  [tracking.opens && said.opens, tracking.clicks && said.clicks].filter((word) => word !== false).join(', ')
