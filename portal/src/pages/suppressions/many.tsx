import type { ReactNode } from 'react'
import { Dialog } from '../../kit/dialog.tsx'
import { TextArea } from '../../kit/field.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Stack } from '../../kit/text.tsx'
import { toast } from '../../kit/toast.tsx'
import { MAX_AT_ONCE, useWork, WorkBar } from '../../kit/work.tsx'
import { words } from '../../words/words.ts'
import { useSuppressionCalls } from './data.ts'
import { addressesIn } from './pasted.ts'

const said = words.suppressions

interface NoteField {
  name: 'note'
  value: string
  onChange: (value: string) => void
  problem: string | undefined
}

export interface ManyProps {
  project: string
  isOpen: boolean
  onClose: () => void
  title: string
  description?: string
  submit: string
  /** The name of the progress. */
  working: string
  /** In words, when none was refused. */
  done: (count: number) => string
  note: (field: NoteField) => ReactNode
  /** Why a note is missing. */
  noteMissing?: string
  act: (email: string, note: string) => Promise<unknown>
}

/** Does something to each address of a pasted list, one call after the other, and says what was refused. */
export function ManyAddresses({ project, isOpen, onClose, title, description, note, act, ...props }: ManyProps) {
  const { refreshList } = useSuppressionCalls(project)
  const { work, run, stop, close } = useWork()
  const form = useForm({
    start: { addresses: '', note: '' },
    send: async (values) => {
      const items = addressesIn(values.addresses)
      const reason = values.note.trim()
      return run({ label: props.working, items, nameOf: (email) => email, act: (email) => act(email, reason) })
    },
    onDone: ({ done, refused }) => {
      refreshList()
      if (refused.length > 0) return
      toast({ text: props.done(done) })
      onClose()
    },
  })
  const count = addressesIn(form.values.addresses).length
  const isNoteMissing = props.noteMissing !== undefined && form.values.note.trim() === ''
  const reason =
    count === 0
      ? said.none
      : count > MAX_AT_ONCE
        ? said.tooMany(formatNumber(MAX_AT_ONCE))
        : isNoteMissing
          ? props.noteMissing
          : undefined
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose} description={description} isFirm={form.isBusy}>
      <Stack>
        {work !== undefined && <WorkBar work={work} onStop={stop} onClose={close} />}
        <Form form={form} submit={props.submit} isWide reason={reason}>
          <TextArea
            label={said.addresses}
            {...form.field('addresses')}
            hint={said.addressesHint}
            isMono
            isReadOnly={form.isBusy}
          />
          {note(form.field('note'))}
        </Form>
      </Stack>
    </Dialog>
  )
}
