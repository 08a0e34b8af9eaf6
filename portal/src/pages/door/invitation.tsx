import { useEffect, useState, type FormEvent, type ReactNode } from 'react'
import { TextField } from '../../kit/field.tsx'
import { Facts } from '../../kit/facts.tsx'
import { Link } from '../../kit/link.tsx'
import { Notice } from '../../kit/notice.tsx'
import { makePasskey } from '../../kit/passkeys.ts'
import { problemOf, type Problem } from '../../kit/problem.ts'
import { Skeleton } from '../../kit/skeleton.tsx'
import { Foreign, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { words } from '../../words/words.ts'
import { join, newPasskeyOptions, readInvitation, type Invitation, type NewWay } from './data.ts'
import { Elsewhere } from './elsewhere.tsx'
import { useDoorForm } from './form.ts'
import { missingWay, NewWayFields } from './new-way.tsx'
import { Answer, DoorPage, Lost } from './page.tsx'
import { goOn, publicUrlIn, useVisit } from './visit.ts'

const { fields, missing, roles } = words.door
const text = words.door.invitation

/** Shows who invites to what, and makes the account of whoever holds the link. */
export function InvitationPage({ token }: { token: string | undefined }) {
  const { answer } = useVisit()
  const { invitation, problem, read } = useInvitation(token)
  const session = answer !== undefined && 'session' in answer ? answer.session : undefined
  const signInLink = <Link to="/sign-in">{text.already}</Link>

  if (token === undefined || problem?.code === 'link_used') {
    return (
      <DoorPage title={text.title} foot={signInLink}>
        <Notice tone="warn" role="alert">
          {problem?.error ?? text.without}
        </Notice>
        <p>{text.help}</p>
      </DoorPage>
    )
  }
  if (invitation === undefined) {
    return (
      <DoorPage title={text.title}>
        {problem === undefined ? <Skeleton rows={5} /> : <Unread problem={problem} onRetry={read} />}
      </DoorPage>
    )
  }
  return (
    <DoorPage title={text.title} foot={session === undefined && signInLink}>
      <p>
        <Foreign text={sentenceOf(invitation)} />
      </p>
      <Roles invitation={invitation} />
      {session !== undefined && (
        <Notice tone="warn" actions={<Link to="/">{text.goOn(session.person.name)}</Link>}>
          {text.signedInAs(session.person.name)}
        </Notice>
      )}
      <JoinForm
        invitation={invitation}
        token={token}
        elsewhere={<Elsewhere publicUrl={publicUrlIn(answer)} token={token} />}
      />
    </DoorPage>
  )
}

/** Nobody is named where the operator has made it, or where whoever did is gone. */
const sentenceOf = ({ invitedBy, workspace }: Invitation): string =>
  invitedBy === null ? text.byNobody(workspace) : text.sentence(invitedBy, workspace)

function useInvitation(token: string | undefined) {
  const [invitation, setInvitation] = useState<Invitation>()
  const [problem, setProblem] = useState<Problem>()
  const read = (): void => {
    setProblem(undefined)
    if (token !== undefined) readInvitation(token).then(setInvitation, (error: unknown) => setProblem(problemOf(error)))
  }
  // The token never changes while the page is there.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(read, [])
  return { invitation, problem, read }
}

const Unread = ({ problem, onRetry }: { problem: Problem; onRetry: () => void }) =>
  problem.status === undefined ? (
    <Lost onRetry={onRetry} />
  ) : (
    <Notice tone="bad" role="alert">
      {problem.error}
    </Notice>
  )

const Roles = ({ invitation: { role, projects, expiresAt } }: { invitation: Invitation }) => (
  <Facts
    facts={[
      {
        name: text.role,
        value: (
          <ul>
            {role !== null && <li>{text.workspaceRole(roles[role])}</li>}
            {projects.map((project) => (
              <li key={project.projectId}>
                <Foreign text={text.projectRole(roles[project.role], project.name)} />
              </li>
            ))}
          </ul>
        ),
      },
      { name: text.until, value: <Time at={expiresAt} form="short" /> },
    ]}
  />
)

interface JoinFormProps {
  invitation: Invitation
  token: string
  elsewhere: ReactNode
}

function JoinForm({ invitation: { email }, token, elsewhere }: JoinFormProps) {
  const { form, values, field, said, busy, isFilled, attempt } = useDoorForm({ name: '', password: '' })
  const create = async (way: NewWay): Promise<void> => {
    await join({ ...way, token, name: values.name.trim() })
    await goOn('/')
  }
  const byPasskey = (): void => {
    if (!isFilled({ name: missing.name })) return
    void attempt('passkey', async () => {
      const options = await newPasskeyOptions({ name: values.name, email })
      await create({ credential: await makePasskey(options) })
    })
  }
  const byPassword = (event: FormEvent): void => {
    event.preventDefault()
    if (!isFilled({ name: missing.name, password: missingWay() })) return
    void attempt('password', () => create({ password: values.password }))
  }
  return (
    <form ref={form} onSubmit={byPassword} noValidate>
      <Stack>
        <Answer said={said} help={said?.code === 'link_used' && <p>{text.help}</p>} />
        <TextField
          label={fields.email}
          name="email"
          type="email"
          value={email}
          onChange={() => undefined}
          autoComplete="username"
          isReadOnly
        />
        <TextField {...field('name')} label={fields.name} autoComplete="name" />
        <NewWayFields password={field('password')} busy={busy} submit={text.join} onPasskey={byPasskey} />
        {elsewhere}
      </Stack>
    </form>
  )
}
