import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { Foreign } from '../../kit/text.tsx'
import { toast } from '../../kit/toast.tsx'
import { words } from '../../words/words.ts'
import { useSuppressionCalls, type Suppression } from './data.ts'

const said = words.suppressions.lift

export interface LiftOneProps {
  project: string
  /** Open while there is one. */
  suppression: Suppression | undefined
  onClose: () => void
}

/** Takes an address off the list, with who confirmed it and how. */
export function LiftOne({ project, suppression, onClose }: LiftOneProps) {
  const { lift, refreshList } = useSuppressionCalls(project)
  const email = suppression?.email ?? ''
  const form = useForm({
    start: { note: '' },
    send: ({ note }) => lift(email, note.trim()),
    onDone: () => {
      toast({ text: said.done(email) })
      onClose()
      refreshList()
    },
  })
  return (
    <Dialog
      title={said.title(email)}
      isOpen={suppression !== undefined}
      onClose={onClose}
      description={suppression && said.sentence[suppression.reason]}
    >
      {suppression?.note && <Foreign text={suppression.note} />}
      <Form
        form={form}
        submit={said.submit}
        isWide
        reason={form.values.note.trim() === '' ? said.whoMissing : undefined}
      >
        <TextField
          label={said.who}
          {...form.field('note')}
          hint={said.whoHint}
          autoComplete="off"
          maxLength={1_000}
          hasFirstFocus
        />
      </Form>
    </Dialog>
  )
}
