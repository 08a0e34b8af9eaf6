import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Failure } from '../../kit/empty.tsx'
import { Refusal } from '../../kit/refusal.tsx'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Foreign, Mono, Quiet, Row, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
import { words } from '../../words/words.ts'
import { keys, person as personQuery, useRemovePerson, type Person } from './data.ts'

interface RemoveDialogProps {
  person: Person | undefined
  onClose: () => void
}

/** Names the keys that somebody made before they go, and asks what becomes of them. */
export const RemoveDialog = ({ person, onClose }: RemoveDialogProps) => (
  <Dialog
    title={words.people.remove.title(person?.name ?? '')}
    description={words.people.remove.sentence}
    isOpen={person !== undefined}
    onClose={onClose}
  >
    {person !== undefined && <Question person={person} onDone={onClose} />}
  </Dialog>
)

function Question({ person, onDone }: { person: Person; onDone: () => void }) {
  const made = useQuery(personQuery(person.id))
  const remove = useRemovePerson()
  const [chosen, setChosen] = useState<'keep' | 'revoke'>()
  const finish = async (fate: 'keep' | 'revoke'): Promise<void> => {
    setChosen(fate)
    const answer = await remove.run({ params: { id: person.id }, body: { keys: fate } }).catch(() => undefined)
    if (answer === undefined) return
    toast({ text: words.people.remove.done(person.name, answer.revokedKeys) })
    onDone()
  }
  if (made.data === undefined) {
    const error = made.error ?? made.failureReason
    return error === null ? <Skeleton rows={3} /> : <Failure error={error} onRetry={() => void made.refetch()} />
  }
  const isBusy = (fate: 'keep' | 'revoke'): boolean => remove.isBusy && chosen === fate
  return (
    <Stack>
      {made.data.keys.length === 0 ? <p>{words.people.remove.noKeys}</p> : <Keys ids={made.data.keys} />}
      {remove.error !== null && !remove.isBusy && <Refusal error={remove.error} />}
      <Row isAtEnd>
        <Button onClick={onDone}>{words.kit.cancel}</Button>
        {made.data.keys.length === 0 ? (
          <Button tone="bad" isBusy={remove.isBusy} onClick={() => void finish('keep')}>
            {words.people.remove.submit}
          </Button>
        ) : (
          <>
            <Button tone="bad" isBusy={isBusy('keep')} onClick={() => void finish('keep')}>
              {words.people.remove.keep}
            </Button>
            <Button tone="bad" isBusy={isBusy('revoke')} onClick={() => void finish('revoke')}>
              {words.people.remove.revoke}
            </Button>
          </>
        )}
      </Row>
    </Stack>
  )
}

/** Keys by their names, as far as this person can see them. */
function Keys({ ids }: { ids: readonly string[] }) {
  const { data } = useQuery(keys())
  return (
    <Stack isTight>
      <p>{words.people.remove.keys(ids.length)}</p>
      <ul>
        {ids.map((id) => {
          const key = data?.data.find((one) => one.id === id)
          return (
            <li key={id}>
              {key === undefined ? (
                <Mono>{id}</Mono>
              ) : (
                <>
                  <Foreign text={key.name} />{' '}
                  <Quiet isSmall>
                    {words.people.remove.keyEnds(key.last4)} ·{' '}
                    {key.lastUsedAt === null ? (
                      words.people.remove.neverUsed
                    ) : (
                      <>
                        {words.people.remove.lastUsed} <Time at={key.lastUsedAt} />
                      </>
                    )}
                  </Quiet>
                </>
              )}
            </li>
          )
        })}
      </ul>
    </Stack>
  )
}
