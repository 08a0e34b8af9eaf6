import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { PasswordField, TextField } from '../../kit/field.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { toast } from '../../kit/toast.tsx'
import { useSession } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { useSetPassword } from './data.ts'

export function Password() {
  const { person } = useSession()
  const [isOpen, setOpen] = useState(false)
  return (
    <Card title={words.me.password.title}>
      <p>{person.hasPassword ? words.me.password.has : words.me.password.hasNot}</p>
      {isOpen ? (
        <PasswordForm email={person.email} onClose={() => setOpen(false)} />
      ) : (
        <div>
          <Button onClick={() => setOpen(true)}>
            {person.hasPassword ? words.me.password.change : words.me.password.set}
          </Button>
        </div>
      )}
    </Card>
  )
}

/** The address stands beside it for managers of passwords, which keep both together. */
function PasswordForm({ email, onClose }: { email: string; onClose: () => void }) {
  const set = useSetPassword()
  const form = useForm({
    start: { password: '' },
    send: ({ password }) => set.run({ body: { password } }),
    onDone: () => {
      toast({ text: words.me.password.done })
      onClose()
    },
  })
  return (
    <Form form={form} submit={words.me.password.submit} buttons={<Button onClick={onClose}>{words.kit.cancel}</Button>}>
      <TextField
        label={words.me.profile.email}
        name="username"
        value={email}
        onChange={() => undefined}
        autoComplete="username"
        isReadOnly
      />
      <PasswordField
        label={words.me.password.field}
        hint={words.me.password.hint}
        {...form.field('password')}
        autoComplete="new-password"
        hasFirstFocus
      />
    </Form>
  )
}
