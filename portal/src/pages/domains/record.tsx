import { Badge, type StateTone } from '../../kit/badge.tsx'
import { Card } from '../../kit/card.tsx'
import { Code } from '../../kit/code.tsx'
import { Compared } from '../../kit/compared.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Facts } from '../../kit/facts.tsx'
import { formatDuration } from '../../kit/format.ts'
import { Foreign, Mono, Quiet, Row, Stack } from '../../kit/text.tsx'
import { Countdown, Time } from '../../kit/time.tsx'
import { words } from '../../words/words.ts'
import type { AnyRecord } from './records.ts'

const said = words.domains.record

const tones: Readonly<Record<AnyRecord['status'], StateTone>> = { verified: 'ok', pending: 'info', mismatch: 'warn' }

export interface RecordCardProps {
  record: AnyRecord
  /** When the server looks next, if that is known. */
  nextAt?: string | undefined
}

/** One record: what it is for, what to enter where, and what was seen. */
export function RecordCard({ record, nextAt }: RecordCardProps) {
  const { purpose, type, host, name, value, priority, status, required } = record
  const title = titleOf(record)
  return (
    <Card
      title={title}
      note={
        <Row>
          <Badge tone={tones[status]}>{said.states[status]}</Badge>
          {!required && status !== 'verified' && <Badge isPlain>{said.optional}</Badge>}
        </Row>
      }
    >
      <Stack>
        <Quiet>{said.purposes[purpose]}</Quiet>
        <Facts
          facts={[
            { name: said.type, value: <Mono>{type}</Mono> },
            {
              name: said.host,
              value: (
                <Row>
                  <Mono>{host}</Mono>
                  <CopyButton text={host} label={said.copyHost} isIcon />
                </Row>
              ),
            },
            { name: said.fullName, value: <Mono>{name}</Mono> },
            priority !== null && { name: said.priority, value: priority },
          ]}
        />
        <Stack isTight>
          <Code text={value} label={said.valueOf(title)} copyLabel={null} wraps />
          <Row>
            <CopyButton text={value} label={said.copyValue} />
          </Row>
        </Stack>
        {status === 'mismatch' && <SeenInstead record={record} />}
        {record.hint !== null && <Foreign text={record.hint} />}
        <Source record={record} nextAt={nextAt} />
      </Stack>
    </Card>
  )
}

/** With its selector, because there may be several keys. */
function titleOf({ purpose, name }: AnyRecord): string {
  const title = said.titles[purpose]
  return purpose === 'dkim' ? said.withSelector(title, name.split('.')[0] ?? '') : title
}

function SeenInstead({ record: { type, value, priority, observed } }: { record: AnyRecord }) {
  const wanted = type === 'MX' && priority !== null ? `${priority} ${value}` : value
  return (
    <Facts
      facts={[
        {
          name: said.seen,
          value: (
            <Stack isTight>
              {observed.map((text, place) => (
                <Compared key={place} text={text} wanted={wanted} />
              ))}
            </Stack>
          ),
        },
      ]}
    />
  )
}

/** Which server said so, how old that is, how much longer it may say so, and when the server looks next. */
function Source({ record: { status, askedAt, askedOf, ttlLeft }, nextAt }: RecordCardProps) {
  return (
    <Quiet isSmall>
      {askedAt === null ? (
        said.notAsked
      ) : (
        <>
          {askedOf === null ? said.unknownServer : said.saidBy(askedOf)} <Time at={askedAt} />
          {'. '}
          {status !== 'verified' && ttlLeft !== null && ttlLeft > 0 && said.sameFor(formatDuration(ttlLeft * 1_000))}
        </>
      )}{' '}
      {status !== 'verified' && nextAt !== undefined && (
        <>
          {words.domains.look.next} <Countdown to={nextAt} />
        </>
      )}
    </Quiet>
  )
}
