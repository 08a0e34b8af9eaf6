import { useSearch } from '../../kit/address.ts'
import { toneOf } from '../../kit/badge.tsx'
import { Checkbox } from '../../kit/choice.tsx'
import { shortId } from '../../kit/id.tsx'
import { Foreign, Mono, Quiet, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { Timeline, type Happening } from '../../kit/timeline.tsx'
import { words } from '../../words/words.ts'
import { isFinal, type Email } from './data.ts'
import { Explained, WhatWasSaid } from './said.tsx'
import { emailSearch } from './search.ts'

const said = words.emails.happened

type Event = Email['events'][number]

export interface HappenedProps {
  email: Email
  project: string
  recipient: string | undefined
}

/** What happened, newest first, to everybody or to one recipient. */
export function Happened({ email, project, recipient }: HappenedProps) {
  const isMany = email.recipients.length > 1 && recipient === undefined
  const events = email.events
    .filter((event) => recipient === undefined || event.recipient === '' || event.recipient === recipient)
    .toSorted((one, other) => other.timestamp.localeCompare(one.timestamp))
  return (
    <Timeline
      label={said.title}
      events={[...events.map((event) => happeningOf(event, { email: email.id, project, isMany })), acceptedOf(email)]}
    />
  )
}

interface Around {
  email: string
  project: string
  /** Of several recipients, each event names its own. */
  isMany: boolean
}

const happeningOf = (event: Event, around: Around): Happening => ({
  id: event.id,
  tone: toneOf(event.type.replace('email.', '')),
  title: isKind(event.type) ? said.kinds[event.type] : event.type,
  when: <Time at={event.timestamp} form={isToday(event.timestamp) ? 'clock' : 'short'} />,
  body: <Said event={event} {...around} />,
})

const isKind = (type: string): type is keyof typeof said.kinds => Object.hasOwn(said.kinds, type)

const isToday = (at: string): boolean => Date.now() - Date.parse(at) < 86_400_000

function Said({ event, email, project, isMany }: { event: Event } & Around) {
  const { recipient, detail, smtp, explanation, dialogueId } = event
  const server = [smtp?.host, smtp?.tls].filter((part) => typeof part === 'string' && part !== '').join(' · ')
  return (
    <Stack isTight>
      {isMany && recipient !== '' && (
        <Quiet isSmall>
          <Foreign text={recipient} />
        </Quiet>
      )}
      {explanation !== null && <Explained explanation={explanation} />}
      {detail !== '' && (
        <Mono>
          <Foreign text={detail} />
        </Mono>
      )}
      {server !== '' && (
        <Quiet isSmall>
          <Foreign text={server} />
        </Quiet>
      )}
      {dialogueId !== null && <WhatWasSaid email={email} project={project} dialogueId={dialogueId} />}
    </Stack>
  )
}

/** The email exists, so it was accepted; that is no event of its own. */
const acceptedOf = ({ createdAt, sendAt, sentBy }: Email): Happening => ({
  id: 'accepted',
  tone: toneOf('accepted'),
  title: said.accepted,
  when: (
    <>
      <Time at={createdAt} form={isToday(createdAt) ? 'clock' : 'short'} />
      {sentBy !== null && (
        <>
          {' · '}
          <Foreign text={said.by[sentBy.type](sentBy.name ?? shortId(sentBy.id))} />
        </>
      )}
    </>
  ),
  ...(sendAt !== null && {
    body: (
      <Quiet isSmall>
        {said.scheduledFor} <Time at={sendAt} form="short" />
      </Quiet>
    ),
  }),
})

/** Shows one recipient alone: the chosen one, or the first with something left to say. */
export function OnlyOne({ email }: { email: Email }) {
  const [{ recipient }, change] = useSearch(emailSearch)
  const offered = recipient ?? interesting(email)
  return (
    <Checkbox
      label={said.only(offered)}
      name="recipient"
      value={recipient !== undefined}
      onChange={(isOn) => change({ recipient: isOn ? offered : undefined })}
    />
  )
}

const interesting = ({ recipients }: Email): string =>
  (
    recipients.find(({ status }) => !isFinal(status)) ??
    recipients.find(({ status }) => status !== 'delivered') ??
    recipients[0]
  )?.email ?? ''
