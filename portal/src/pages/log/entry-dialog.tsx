import { Json } from '../../kit/code.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Facts } from '../../kit/facts.tsx'
import { Id, shortId } from '../../kit/id.tsx'
import { Link } from '../../kit/link.tsx'
import { Foreign, Mono, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { isId } from '../../shell/ids.ts'
import { words } from '../../words/words.ts'
import type { Entry } from './data.ts'

interface EntryDialogProps {
  entry: Entry | undefined
  onClose: () => void
}

/** Everything that was recorded of one change. */
export const EntryDialog = ({ entry, onClose }: EntryDialogProps) => (
  <Dialog title={words.log.detailsTitle} isOpen={entry !== undefined} onClose={onClose}>
    {entry !== undefined && <Recorded entry={entry} />}
  </Dialog>
)

const Recorded = ({
  entry: { actor, action, sentence, subject, subjectName, at, requestId, details },
}: {
  entry: Entry
}) => (
  <Stack>
    <p>
      <Foreign text={`${actor.name ?? words.log.actors[actor.type]} ${sentence}`} />
    </p>
    <Facts
      facts={[
        { name: words.log.when, value: <Time at={at} form="short" /> },
        {
          name: words.log.who,
          value: (
            <Stack isTight>
              <span>{words.log.actors[actor.type]}</span>
              {actor.id !== null && <Id id={actor.id} />}
            </Stack>
          ),
        },
        { name: words.log.action, value: <Mono>{action}</Mono> },
        { name: words.log.subject, value: <Subject id={subject} name={subjectName} /> },
        requestId !== null && { name: words.log.request, value: <Id id={requestId} /> },
      ]}
    />
    {Object.keys(details).length === 0 ? (
      <p>{words.log.nothingElse}</p>
    ) : (
      <Json value={details} label={words.log.changes} />
    )}
  </Stack>
)

/** Any id is an address, if it has a page. */
const Subject = ({ id, name }: { id: string; name: string | null }) =>
  isId(id) ? (
    <Link to={`/${id}`}>
      <Foreign text={name ?? shortId(id)} />
    </Link>
  ) : (
    <Stack isTight>
      {name !== null && <Foreign text={name} />}
      <Id id={id} />
    </Stack>
  )
