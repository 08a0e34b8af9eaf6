import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { useGo } from '../../kit/link.tsx'
import { toast } from '../../kit/toast.tsx'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { useCreateDomain } from './data.ts'

const said = words.domains.add

export interface AddDomainProps {
  project: string
  isOpen: boolean
  onClose: () => void
}

/** Adds a domain and opens its page, which shows the records to create. */
export function AddDomain({ project, isOpen, onClose }: AddDomainProps) {
  const go = useGo()
  const create = useCreateDomain()
  const form = useForm({
    start: { name: '' },
    send: ({ name }) => create.run({ project, body: { name: name.trim() } }),
    onDone: ({ id }) => {
      toast({ text: said.added })
      onClose()
      go(to.domain(project, id))
    },
  })
  return (
    <Dialog title={said.title} isOpen={isOpen} onClose={onClose}>
      <Form form={form} submit={said.add} isWide>
        <TextField
          label={said.name}
          {...form.field('name')}
          hint={said.nameHint}
          autoComplete="off"
          inputMode="url"
          isMono
          hasFirstFocus
        />
      </Form>
    </Dialog>
  )
}
