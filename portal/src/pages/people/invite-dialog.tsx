import type { Role } from '@posthouse/sdk'
import { useState } from 'react'
import { Checkboxes, Radio, Select } from '../../kit/choice.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { useSession } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { useInvite, type NewInvitation } from './data.ts'
import { HandedLink } from './handed-link.tsx'
import { givable, isProjectRole, roleOptions } from './roles.tsx'

interface InviteDialogProps {
  isOpen: boolean
  onClose: () => void
}

/** Asks whom to invite to what; then the link, this once. */
export function InviteDialog({ isOpen, onClose }: InviteDialogProps) {
  const [made, setMade] = useState<NewInvitation>()
  const close = (): void => {
    setMade(undefined)
    onClose()
  }
  return (
    <Dialog
      title={made === undefined ? words.people.invitation.title : words.people.invitation.doneTitle}
      isOpen={isOpen}
      onClose={close}
      isFirm={made !== undefined}
    >
      {made !== undefined ? <TheLink invitation={made} onDone={close} /> : isOpen && <InviteForm onDone={setMade} />}
    </Dialog>
  )
}

interface Values extends Record<string, unknown> {
  email: string
  role: Role
  where: 'everywhere' | 'some'
  projects: readonly string[]
}

function InviteForm({ onDone }: { onDone: (invitation: NewInvitation) => void }) {
  const session = useSession()
  const invite = useInvite()
  const start: Values = { email: '', role: 'viewer', where: 'everywhere', projects: [] }
  const form = useForm({
    start,
    send: async ({ email, role, where, projects }: Values) => {
      if (where === 'everywhere' || !isProjectRole(role)) return invite.run({ body: { email: email.trim(), role } })
      if (projects.length === 0) throw new NoProject()
      return invite.run({ body: { email: email.trim(), projects: projects.map((projectId) => ({ projectId, role })) } })
    },
    onDone,
  })
  const { role, where } = form.values
  const isForSome = where === 'some' && isProjectRole(role)
  return (
    <Form form={form} submit={words.people.invitation.submit}>
      <TextField
        label={words.people.form.email}
        {...form.field('email')}
        type="email"
        autoComplete="off"
        hasFirstFocus
      />
      <Select
        label={words.people.form.role}
        {...form.field('role')}
        options={roleOptions(givable(session))}
        hint={words.roles.meanings[role]}
      />
      {isProjectRole(role) && (
        <Radio
          label={words.people.form.where}
          {...form.field('where')}
          options={[
            { value: 'everywhere', label: words.people.form.everywhere },
            { value: 'some', label: words.people.form.inSome },
          ]}
        />
      )}
      {isForSome && (
        <Checkboxes
          label={words.people.form.projects}
          {...form.field('projects')}
          options={session.projects
            .filter(({ status }) => status !== 'archived')
            .map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
    </Form>
  )
}

/** Said at the field, as the API would. */
class NoProject extends Error {
  readonly details = [{ path: '/projects', message: words.people.form.chooseProject }]

  constructor() {
    super(words.people.form.chooseProject)
  }
}

interface LinkDialogProps {
  invitation: NewInvitation | undefined
  onClose: () => void
}

/** The link of an invitation that was there before. */
export const LinkDialog = ({ invitation, onClose }: LinkDialogProps) => (
  <Dialog title={words.people.invitation.doneTitle} isOpen={invitation !== undefined} onClose={onClose} isFirm>
    {invitation !== undefined && <TheLink invitation={invitation} onDone={onClose} />}
  </Dialog>
)

function TheLink({ invitation, onDone }: { invitation: NewInvitation; onDone: () => void }) {
  const { email, link, mailed, expiresAt } = invitation
  const sentence = (mailed ? words.people.invitation.mailed : words.people.invitation.once)(email)
  const label = words.people.invitation.link
  return <HandedLink sentence={sentence} label={label} link={link} expiresAt={expiresAt} onDone={onDone} />
}
