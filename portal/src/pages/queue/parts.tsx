import { Badge } from '../../kit/badge.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Foreign, Quiet, Stack } from '../../kit/text.tsx'
import { Countdown, Time } from '../../kit/time.tsx'
import { useSession } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { tones, type DestinationRow } from './data.ts'

const said = words.queue

/** The state with its sign and its word; a pause says whether it is one's own. */
export function StateOf({ row: { state, paused } }: { row: DestinationRow }) {
  const { person } = useSession()
  const isOwn = paused !== null && paused.by.id === person.id
  return <Badge tone={tones[state]}>{isOwn ? said.states.pausedByYou : said.states[state]}</Badge>
}

/** Why mail waits: the words of whoever paused it, or what the server's answer means, with the answer itself. */
export function Why({ row }: { row: DestinationRow }) {
  const { paused, explanation } = row
  if (paused !== null) return <Paused paused={paused} />
  if (explanation === null) return words.kit.none
  return (
    <Stack isTight>
      <span>
        {explanation.title}. {explanation.sentence}
      </span>
      <RawReply row={row} />
    </Stack>
  )
}

/** "451 4.7.500 Server busy". */
export function RawReply({ row: { lastReply } }: { row: DestinationRow }) {
  if (lastReply === null || lastReply.text === null) return null
  const { code, enhanced, text } = lastReply
  return (
    <Quiet isSmall isMono>
      <Foreign text={[code, enhanced, text].filter((part) => part !== null && part !== '').join(' ')} />
    </Quiet>
  )
}

function Paused({ paused }: { paused: NonNullable<DestinationRow['paused']> }) {
  const { by, because, since, everywhere } = paused
  return (
    <Stack isTight>
      {because !== null && (
        <q>
          <Foreign text={because} />
        </q>
      )}
      <Quiet isSmall>
        <Foreign text={by.name === null ? said.pausedBySomebody : said.pausedBy(by.name)} /> <Time at={since} />
      </Quiet>
      {everywhere && <Quiet isSmall>{said.pausedEverywhere}</Quiet>}
    </Stack>
  )
}

/** "1 of 5 connections", and when it is tried again. */
export const Pace = ({ row: { pace, nextTryAt, state } }: { row: DestinationRow }) =>
  state === 'paused' ? (
    words.kit.none
  ) : (
    <Stack isTight>
      <span>{said.pace.connections(formatNumber(pace.connections), formatNumber(pace.limit))}</span>
      {pace.perMinute !== null && <Quiet isSmall>{said.pace.perMinute(formatNumber(pace.perMinute))}</Quiet>}
      {nextTryAt !== null && (
        <Quiet isSmall>
          {said.pace.next} <Countdown to={nextTryAt} />
        </Quiet>
      )}
    </Stack>
  )
