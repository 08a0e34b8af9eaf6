import { NumberField, TextField } from '../../kit/field.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { toast } from '../../kit/toast.tsx'
import { words } from '../../words/words.ts'
import { useCreateProject, useUpdateProject, type Project } from './data.ts'

interface ProjectDialogProps {
  /** What is open: a new project, one that is there, or nothing. */
  subject: Project | 'new' | undefined
  mayChangeQuotas: boolean
  onClose: () => void
}

/** Makes a project, or changes its name and its quotas. */
export function ProjectDialog({ subject, mayChangeQuotas, onClose }: ProjectDialogProps) {
  const title =
    subject === undefined || subject === 'new' ? words.projects.addTitle : words.projects.editTitle(subject.name)
  return (
    <Dialog size="small" title={title} isOpen={subject !== undefined} onClose={onClose}>
      {subject === 'new' ? (
        <NewProject onDone={onClose} />
      ) : (
        subject !== undefined && <EditProject project={subject} mayChangeQuotas={mayChangeQuotas} onDone={onClose} />
      )}
    </Dialog>
  )
}

function NewProject({ onDone }: { onDone: () => void }) {
  const create = useCreateProject()
  const form = useForm({
    start: { name: '' },
    send: ({ name }, idempotencyKey) => create.run({ body: { name: name.trim() }, idempotencyKey }),
    onDone: ({ name }) => {
      toast({ text: words.projects.isThere(name) })
      onDone()
    },
  })
  return (
    <Form form={form} submit={words.projects.create}>
      <TextField label={words.projects.name} {...form.field('name')} autoComplete="off" hasFirstFocus />
    </Form>
  )
}

interface EditProjectProps {
  project: Project
  mayChangeQuotas: boolean
  onDone: () => void
}

function EditProject({ project: { id, name, quota }, mayChangeQuotas, onDone }: EditProjectProps) {
  const update = useUpdateProject()
  const form = useForm({
    start: {
      name,
      emailsPerDay: quota.emailsPerDay ?? undefined,
      emailsPerMonth: quota.emailsPerMonth ?? undefined,
    } as { name: string; emailsPerDay: number | undefined; emailsPerMonth: number | undefined },
    paths: { '/quota/emailsPerDay': 'emailsPerDay', '/quota/emailsPerMonth': 'emailsPerMonth' },
    send: ({ name: next, emailsPerDay = null, emailsPerMonth = null }) =>
      update.run({
        params: { id },
        body: { name: next.trim(), ...(mayChangeQuotas && { quota: { emailsPerDay, emailsPerMonth } }) },
      }),
    onDone: () => {
      toast({ text: words.projects.saved })
      onDone()
    },
  })
  return (
    <Form form={form} submit={words.projects.save}>
      <TextField label={words.projects.name} {...form.field('name')} autoComplete="off" hasFirstFocus />
      {mayChangeQuotas && (
        <>
          <NumberField label={words.projects.daily} {...form.field('emailsPerDay')} min={0} isOptional />
          <NumberField
            label={words.projects.monthly}
            hint={words.projects.quotaHint}
            {...form.field('emailsPerMonth')}
            min={0}
            isOptional
          />
        </>
      )}
    </Form>
  )
}
