import { Confirm, Dialog } from '../../kit/dialog.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { useGo } from '../../kit/link.tsx'
import { toast } from '../../kit/toast.tsx'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { useDeleteWebhook, useUpdateWebhook, type Webhook } from './data.ts'
import { EndpointFields, endpointOf, wishOf } from './endpoint-fields.tsx'

interface AboutEndpoint {
  endpoint: Webhook
  project: string
  isOpen: boolean
  onClose: () => void
}

export function EditEndpoint({ endpoint, project, isOpen, onClose }: AboutEndpoint) {
  const update = useUpdateWebhook()
  const said = words.webhooks.edit
  const form = useForm({
    start: wishOf(endpoint),
    send: (wish) => update.run({ project, params: { id: endpoint.id }, body: endpointOf(wish) }),
    onDone: () => {
      toast({ text: said.saved })
      onClose()
    },
  })
  return (
    <Dialog title={said.title} isOpen={isOpen} onClose={onClose}>
      <Form form={form} submit={said.save} isWide>
        <EndpointFields form={form} />
      </Form>
    </Dialog>
  )
}

export function DeleteEndpoint({ endpoint, project, isOpen, onClose }: AboutEndpoint) {
  const go = useGo()
  const remove = useDeleteWebhook()
  const said = words.webhooks.remove
  return (
    <Confirm
      title={said.title}
      action={said.action}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={async () => {
        await remove.run({ project, params: { id: endpoint.id } })
        toast({ text: said.done })
        go(to.webhooks(project))
      }}
    >
      {said.sentence}
    </Confirm>
  )
}
