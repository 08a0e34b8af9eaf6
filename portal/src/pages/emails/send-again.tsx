import { AddressField } from '../../kit/address-field.tsx'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { useGo } from '../../kit/link.tsx'
import { Notice } from '../../kit/notice.tsx'
import { toast } from '../../kit/toast.tsx'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { useResend, type Email } from './data.ts'
import { respelled } from './spelling.ts'

const said = words.emails.again

export interface SendAgainProps {
  email: Email
  project: string
  isOpen: boolean
  onClose: () => void
}

/** A new email with the same content, to the same people or to others. */
export function SendAgain({ email, project, isOpen, onClose }: SendAgainProps) {
  const go = useGo()
  const resend = useResend()
  const form = useForm({
    start: { to: email.to as readonly string[] },
    send: ({ to: receivers }, idempotencyKey) =>
      resend.run({
        project,
        params: { id: email.id },
        body: isSame(receivers, email.to) ? {} : { to: [...receivers] },
        idempotencyKey,
      }),
    onDone: ({ id }) => {
      toast({ text: said.sent })
      onClose()
      go(to.email(project, id))
    },
  })
  const corrections = form.values.to.flatMap((address) => {
    const corrected = respelled(address)
    return corrected === undefined ? [] : [{ address, corrected }]
  })
  const hasCopies = email.cc.length + email.bcc.length > 0
  return (
    <Dialog title={said.title} description={said.sentence} isOpen={isOpen} onClose={onClose}>
      <Form form={form} submit={said.send} isWide>
        <AddressField label={said.to} {...form.field('to')} hint={hasCopies ? said.others : undefined} />
        {corrections.map(({ address, corrected }) => (
          <Notice
            key={address}
            tone="warn"
            actions={
              <Button
                isSmall
                onClick={() => form.set({ to: form.values.to.map((one) => (one === address ? corrected : one)) })}
              >
                {said.take}
              </Button>
            }
          >
            {said.maybe(corrected)}
          </Notice>
        ))}
      </Form>
    </Dialog>
  )
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((address, place) => address === other[place])
