import { Dialog } from '../../kit/dialog.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { useGo } from '../../kit/link.tsx'
import { toast } from '../../kit/toast.tsx'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { handOver, useCreateWebhook } from './data.ts'
import { EndpointFields, endpointOf, wishOf } from './endpoint-fields.tsx'

const said = words.webhooks.add

export interface AddEndpointProps {
  project: string
  isOpen: boolean
  onClose: () => void
}

/** Adds an endpoint and opens its page, where its secret is shown. */
export function AddEndpoint({ project, isOpen, onClose }: AddEndpointProps) {
  const go = useGo()
  const create = useCreateWebhook(project)
  const form = useForm({
    start: wishOf(),
    send: (wish, idempotencyKey) => create(endpointOf(wish), idempotencyKey),
    onDone: ({ id, secret }) => {
      handOver(id, secret)
      toast({ text: said.added })
      onClose()
      go(to.webhook(project, id))
    },
  })
  return (
    <Dialog title={said.title} isOpen={isOpen} onClose={onClose}>
      <Form form={form} submit={said.add} isWide>
        <EndpointFields form={form} />
      </Form>
    </Dialog>
  )
}
