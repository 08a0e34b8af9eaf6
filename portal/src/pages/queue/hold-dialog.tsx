import { useQuery } from '@tanstack/react-query'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { Quiet, Stack } from '../../kit/text.tsx'
import { toast } from '../../kit/toast.tsx'
import { words } from '../../words/words.ts'
import { dueQuery, useHold } from './data.ts'

const said = words.queue.hold

/** Asks before nothing leaves any more, and says what would wait. */
export function HoldDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const hold = useHold()
  const form = useForm({
    start: { because: '' },
    send: ({ because }) => hold.run({ body: { because: because.trim() } }),
    onDone: () => {
      toast({ text: said.done })
      onClose()
    },
  })
  return (
    <Dialog title={said.title} description={said.sentence} isOpen={isOpen} onClose={onClose}>
      <Form form={form} submit={said.action} tone="bad" isWide>
        {isOpen && <Waits />}
        <TextField label={said.because} maxLength={500} hasFirstFocus {...form.field('because')} />
      </Form>
    </Dialog>
  )
}

function Waits() {
  const due = useQuery(dueQuery()).data?.due ?? undefined
  const text = words.queue.due
  return (
    <Stack isTight>
      <Quiet isSmall>{said.waits}</Quiet>
      <span>
        {due === undefined
          ? words.kit.none
          : [text.emails(due.emails), text.webhooks(due.webhooks), text.sms(due.sms)].join(' · ')}
      </span>
    </Stack>
  )
}
