import { Checkbox } from '../../kit/choice.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { toast } from '../../kit/toast.tsx'
import { mayAdminister, useSession } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { usePause, type DestinationRow } from './data.ts'

const said = words.queue.pause

export interface PauseDialogProps {
  project: string
  row: Pick<DestinationRow, 'destination' | 'name'>
  isOpen: boolean
  onClose: () => void
}

/** Asks why, and for whom. */
export function PauseDialog({ project, row, isOpen, onClose }: PauseDialogProps) {
  const isAdmin = mayAdminister(useSession())
  const pause = usePause()
  const { destination, name } = row
  const form = useForm({
    start: { because: '', everywhere: false },
    send: ({ because, everywhere }) => {
      const body = { ...(because.trim() !== '' && { because: because.trim() }), ...(everywhere && { everywhere }) }
      return pause.run({ project, params: { destination }, body })
    },
    onDone: () => {
      toast({ text: said.done(name) })
      onClose()
    },
  })
  return (
    <Dialog title={said.title(name)} description={said.sentence} isOpen={isOpen} onClose={onClose}>
      <Form form={form} submit={said.action} isWide>
        <TextField
          label={said.because}
          hint={said.becauseHint}
          maxLength={500}
          isOptional
          hasFirstFocus
          {...form.field('because')}
        />
        {isAdmin && <Checkbox label={said.everywhere} {...form.field('everywhere')} />}
      </Form>
    </Dialog>
  )
}
