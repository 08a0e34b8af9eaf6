import { AddressField } from '../../kit/address-field.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { useGo } from '../../kit/link.tsx'
import { Notice } from '../../kit/notice.tsx'
import { toast } from '../../kit/toast.tsx'
import { useSession, type Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { proofOf, useReply, useSendingDomains, type Received } from './data.ts'

const said = words.inbox.reply

export interface ReplyDialogProps {
  mail: Received
  project: Project
  isOpen: boolean
  onClose: () => void
}

/** An answer from a domain that may send; mail programs show it below what it answers. */
export function ReplyDialog({ mail, project, isOpen, onClose }: ReplyDialogProps) {
  const go = useGo()
  const reply = useReply()
  const senders = useSenders(project, mail)
  const form = useForm({
    start: {
      from: '',
      to: receiversOf(mail) as readonly string[],
      subject: answering(mail.subject ?? ''),
      text: '',
    },
    keepAs: `reply ${mail.id}`,
    send: ({ from, to: receivers, subject, text }, idempotencyKey) =>
      reply.run({
        project: project.id,
        idempotencyKey,
        body: {
          from: from.trim() === '' ? (senders[0] ?? '') : from.trim(),
          to: [...receivers],
          subject,
          text,
          ...(mail.messageIdHeader !== null && { inReplyTo: mail.messageIdHeader }),
        },
      }),
    onDone: (email) => {
      toast({ text: said.sent })
      onClose()
      if ('id' in email) go(to.email(project.id, email.id))
    },
  })
  return (
    <Dialog title={said.title} isOpen={isOpen} onClose={onClose}>
      <Form form={form} submit={said.send} isWide>
        {proofOf(mail).tone !== 'ok' && <Notice tone="warn">{said.unproven}</Notice>}
        <TextField
          label={words.send.from}
          {...form.field('from')}
          value={form.values.from === '' ? (senders[0] ?? '') : form.values.from}
          suggestions={senders}
          autoComplete="off"
        />
        <AddressField label={words.send.to} {...form.field('to')} />
        <TextField label={words.send.subject} {...form.field('subject')} autoComplete="off" />
        <TextArea label={words.send.text} {...form.field('text')} rows={8} />
      </Form>
    </Dialog>
  )
}

const receiversOf = ({ replyTo, from }: Received): string[] =>
  replyTo.length > 0 ? replyTo.map(({ email }) => email) : from === null ? [] : [from.email]

const answering = (subject: string): string => (/^re:/i.test(subject) ? subject : `Re: ${subject}`)

/** The address that the mail came to, where its domain may send; then others; the sandbox at last. */
function useSenders(project: Project, mail: Received): readonly string[] {
  const { installation } = useSession()
  const names = useSendingDomains(project)
  const [local = '', domain = ''] = mail.envelope.to.split('@')
  const own = names.includes(domain) ? [mail.envelope.to] : []
  return [
    ...own,
    ...names.filter((name) => name !== domain).map((name) => `${local}@${name}`),
    installation.sandboxSender,
  ]
}
