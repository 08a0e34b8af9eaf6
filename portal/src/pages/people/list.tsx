import { useState } from 'react'
import { Badge, Status } from '../../kit/badge.tsx'
import { Button, IconButton } from '../../kit/button.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import { Menu } from '../../kit/menu.tsx'
import { Foreign, Quiet, Row, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { toast, toastProblem } from '../../kit/toast.tsx'
import { useSession } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { SettingsSections } from '../settings/sections.tsx'
import { people, useRecoverPerson, useSignOutPerson, useUpdatePerson, type Person } from './data.ts'
import { RecoveryDialog, type MadeRecovery } from './handed-link.tsx'
import { Invitations } from './invitations.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { RolesDialog } from './roles-dialog.tsx'
import { givable, roleOptions, Roles } from './roles.tsx'
import { peopleSearch, roleNames } from './search.ts'

export function Page() {
  const session = useSession()
  const [isInviting, setInviting] = useState(false)
  const [changed, setChanged] = useState<Person>()
  const [removed, setRemoved] = useState<Person>()
  const [recovery, setRecovery] = useState<MadeRecovery>()
  const given = givable(session)
  const isMe = ({ id }: Person): boolean => id === session.person.id
  const isAbove = ({ role }: Person): boolean => role !== null && !given.includes(role)
  return (
    <ListPage
      title={words.people.title}
      above={<SettingsSections />}
      search={peopleSearch}
      rows={people}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
      columns={[
        { name: 'name', title: words.people.name, cell: (person) => <Name person={person} isMe={isMe(person)} /> },
        { name: 'role', title: words.people.role, cell: (person) => <Roles of={person} /> },
        {
          name: 'factor',
          title: words.people.secondFactor,
          cell: ({ secondFactor }) =>
            secondFactor ? (
              <Badge tone="ok">{words.people.has}</Badge>
            ) : (
              <Badge tone="warn">{words.people.hasNot}</Badge>
            ),
        },
        {
          name: 'seen',
          title: words.people.lastSeen,
          cell: ({ lastSeenAt }) => (lastSeenAt === null ? words.people.never : <Time at={lastSeenAt} />),
        },
        {
          name: 'actions',
          title: words.people.actions,
          isActions: true,
          cell: (person) =>
            !isAbove(person) && (
              <Doings
                person={person}
                isMe={isMe(person)}
                onRoles={() => setChanged(person)}
                onRemove={() => setRemoved(person)}
                onRecovery={session.roles.workspace === 'owner' ? setRecovery : undefined}
              />
            ),
        },
      ]}
      find={{ parameter: 'q', placeholder: words.people.find }}
      filters={[
        { kind: 'one', name: 'role', label: words.people.filterRole, options: roleOptions(roleNames) },
        {
          kind: 'one',
          name: 'projectId',
          label: words.people.filterProject,
          options: session.projects.map(({ id, name }) => ({ value: id, label: name })),
        },
      ]}
      actions={[{ label: words.people.invite, tone: 'main', icon: 'plus', keys: 'n', run: () => setInviting(true) }]}
      empty={{ title: words.people.empty, sentence: words.people.emptySentence, icon: 'people' }}
      below={
        <>
          <Invitations />
          <InviteDialog isOpen={isInviting} onClose={() => setInviting(false)} />
          <RolesDialog person={changed} onClose={() => setChanged(undefined)} />
          <RemoveDialog person={removed} onClose={() => setRemoved(undefined)} />
          <RecoveryDialog made={recovery} onClose={() => setRecovery(undefined)} />
        </>
      }
    />
  )
}

const Name = ({ person: { name, email, status }, isMe }: { person: Person; isMe: boolean }) => (
  <Stack isTight>
    <Row>
      <Foreign text={name} />
      {isMe && <Badge isPlain>{words.people.you}</Badge>}
      {status === 'disabled' && <Status state={status} />}
    </Row>
    <Quiet isSmall>
      <Foreign text={email} />
    </Quiet>
  </Stack>
)

interface DoingsProps {
  person: Person
  isMe: boolean
  onRoles: () => void
  onRemove: () => void
  /** Undefined for those who cannot make such a link. */
  onRecovery: ((made: MadeRecovery) => void) | undefined
}

/** What can be done with a person. Nobody disables or removes themselves: others can. */
function Doings({ person: { id, name, status }, isMe, onRoles, onRemove, onRecovery }: DoingsProps) {
  const update = useUpdatePerson()
  const recover = useRecoverPerson()
  const signOut = useSignOutPerson()
  const isDisabled = status === 'disabled'
  const set = async (disabled: boolean): Promise<void> => {
    const sentence = disabled ? words.people.disabled : words.people.enabled
    const undo = (): void => void set(!disabled)
    await update
      .run({ params: { id }, body: { disabled } })
      .then(() => toast({ text: sentence(name), undo }), toastProblem)
  }
  const end = (): unknown =>
    signOut.run({ params: { id } }).then(({ ended }) => toast({ text: words.people.signedOut(ended) }), toastProblem)
  const makeLink = (): unknown =>
    recover.run({ params: { id } }).then((made) => onRecovery?.({ ...made, name }), toastProblem)
  return (
    <>
      <Button isSmall icon="edit" onClick={onRoles}>
        {words.people.changeRoles}
      </Button>
      {!isMe && (
        <>
          <Button isSmall icon="bin" onClick={onRemove}>
            {words.people.remove.button}
          </Button>
          <Menu
            button={<IconButton label={words.people.more(name)} icon="more" isSmall />}
            groups={[
              {
                entries: [
                  { label: words.people.signOut, icon: 'signOut', run: end },
                  ...(onRecovery === undefined || isDisabled
                    ? []
                    : [{ label: words.people.recovery.make, icon: 'link' as const, run: makeLink }]),
                  isDisabled
                    ? { label: words.people.enable, icon: 'play', run: () => set(false) }
                    : { label: words.people.disable, icon: 'forbidden', tone: 'bad', run: () => set(true) },
                ],
              },
            ]}
          />
        </>
      )}
    </>
  )
}
