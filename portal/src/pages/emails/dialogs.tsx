import { DateTime } from '../../kit/date-time.tsx'
import { Confirm, Dialog } from '../../kit/dialog.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { toast } from '../../kit/toast.tsx'
import { words } from '../../words/words.ts'
import { useCancel, useReschedule, type Email } from './data.ts'

const said = words.emails.actions

interface DialogAbout {
  email: Email
  project: string
  isOpen: boolean
  onClose: () => void
}

export function CancelEmail({ email, project, isOpen, onClose }: DialogAbout) {
  const cancel = useCancel()
  return (
    <Confirm
      title={said.cancelTitle}
      action={said.cancel}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={async () => {
        await cancel.run({ project, params: { id: email.id } })
        toast({ text: said.cancelled })
      }}
    >
      {said.cancelSentence}
    </Confirm>
  )
}

export function Reschedule({ email, project, isOpen, onClose }: DialogAbout) {
  const reschedule = useReschedule()
  const form = useForm({
    start: { sendAt: email.sendAt ?? '' },
    send: ({ sendAt }) => reschedule.run({ project, params: { id: email.id }, body: { sendAt } }),
    onDone: () => {
      toast({ text: said.rescheduled })
      onClose()
    },
  })
  return (
    <Dialog title={said.rescheduleTitle} isOpen={isOpen} onClose={onClose} size="small">
      <Form form={form} submit={said.move}>
        <DateTime label={said.when} {...form.field('sendAt')} />
      </Form>
    </Dialog>
  )
}
