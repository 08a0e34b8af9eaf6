import { useState } from 'react'
import { Status } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Radio } from '../../kit/choice.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { useGo } from '../../kit/link.tsx'
import { ListPage } from '../../kit/list-page.tsx'
import type { Column } from '../../kit/table.tsx'
import { Foreign } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
import { useProject } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { receivingDomainRows, useCreateReceivingDomain, type ReceivingDomain } from './data.ts'
import { InboxSections } from './list.tsx'
import { receivingDomainsSearch } from './search.ts'

const said = words.inbox.domains

/** The domains that mail comes to. */
export function Page() {
  const project = useProject()
  const [isAdding, setAdding] = useState(false)
  const mayChange = project.can('receiving:write')
  const add = (): void => setAdding(true)
  return (
    <>
      <ListPage
        title={said.title}
        search={receivingDomainsSearch}
        rows={() => receivingDomainRows(project.id)}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowTo={({ id }) => to.receivingDomain(project.id, id)}
        find={{ in: ({ name }) => name, placeholder: said.find }}
        above={project.sees('receiving:read') && <InboxSections project={project.id} />}
        actions={mayChange ? [{ label: said.add, tone: 'main', icon: 'plus', keys: 'n', run: add }] : []}
        empty={{
          icon: 'inbox',
          title: said.empty.title,
          sentence: said.empty.sentence,
          ...(mayChange && {
            action: (
              <Button tone="main" icon="plus" onClick={add}>
                {said.add}
              </Button>
            ),
          }),
          docs: '/docs',
        }}
      />
      {mayChange && (
        <AddDomain key={String(isAdding)} project={project.id} isOpen={isAdding} onClose={() => setAdding(false)} />
      )}
    </>
  )
}

const columns: readonly Column<ReceivingDomain>[] = [
  { name: 'name', title: said.name, cell: ({ name }) => <Foreign text={name} /> },
  { name: 'type', title: said.type, isNarrow: true, cell: ({ type }) => said.types[type] },
  { name: 'status', title: said.status, isNarrow: true, cell: ({ status }) => <Status state={status} /> },
  { name: 'created', title: said.created, isNarrow: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

interface AddDomainProps {
  project: string
  isOpen: boolean
  onClose: () => void
}

function AddDomain({ project, isOpen, onClose }: AddDomainProps) {
  const go = useGo()
  const create = useCreateReceivingDomain()
  const form = useForm({
    start: { type: 'managed' as ReceivingDomain['type'], name: '' },
    send: ({ type, name }, idempotencyKey) =>
      create.run({ project, idempotencyKey, body: type === 'managed' ? { type } : { type, name: name.trim() } }),
    onDone: ({ id }) => {
      toast({ text: said.added })
      onClose()
      go(to.receivingDomain(project, id))
    },
  })
  return (
    <Dialog title={said.add} isOpen={isOpen} onClose={onClose}>
      <Form form={form} submit={said.submit} isWide>
        <Radio
          label={said.type}
          {...form.field('type')}
          options={(['managed', 'custom'] as const).map((value) => ({
            value,
            label: said.types[value],
            hint: said.hints[value],
          }))}
        />
        {form.values.type === 'custom' && (
          <TextField label={said.name} {...form.field('name')} placeholder={said.example} autoComplete="off" />
        )}
      </Form>
    </Dialog>
  )
}
