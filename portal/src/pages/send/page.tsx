import { useEffect, useState } from 'react'
import { Card } from '../../kit/card.tsx'
import { NotForYou } from '../../kit/empty.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { useGo } from '../../kit/link.tsx'
import { Notice } from '../../kit/notice.tsx'
import { PageBody, PageHead } from '../../kit/page.tsx'
import { Columns, Stack } from '../../kit/text.tsx'
import { toast } from '../../kit/toast.tsx'
import { AskBeforeLeaving } from '../../shell/leaving.tsx'
import { useProject, useSession, type Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { AsCall } from './as-call.tsx'
import { base64Of, isRepeated, useChoices, useSend } from './data.ts'
import { callOf, variablesOf, type Draft, type SendBody } from './draft.ts'
import { Fields } from './fields.tsx'
import { DryRunPreview } from './preview.tsx'

const said = words.send

/** Writes one email; beside it what would be sent, from a dry run of every change. */
export function Page() {
  const project = useProject()
  const mayWrite = project.can('email:send')
  return (
    <PageBody>
      <PageHead title={said.title} />
      {mayWrite && project.maySend ? (
        <Writing key={project.id} project={project} />
      ) : (
        <NotForYou scope={mayWrite ? undefined : 'email:send'} />
      )}
    </PageBody>
  )
}

const REST_MS = 400

function Writing({ project }: { project: Project }) {
  const go = useGo()
  const { installation } = useSession()
  const { domains, templates } = useChoices(project)
  const send = useSend(project.id)
  const form = useForm({
    start: emptyDraft(installation.sandboxSender),
    keepAs: `send ${project.id}`,
    send: async (draft, idempotencyKey) => {
      const body = callOf(draft, templateOf(draft))
      if (body === undefined) throw new Error(said.preview.waiting)
      const attachments = await Promise.all(
        draft.attachments.map(async (file) => ({
          filename: file.name,
          content: await base64Of(file),
          ...(file.type !== '' && { contentType: file.type }),
        })),
      )
      return send({ ...body, ...(attachments.length > 0 && { attachments }) }, idempotencyKey)
    },
    onDone: ({ id }) => {
      toast({ text: said.sent })
      go(to.email(project.id, id))
    },
  })
  const draft: Draft = form.values
  const templateOf = ({ templateId }: Draft) => templates.find(({ id }) => id === templateId)
  const template = templateOf(draft)
  const body = callOf(draft, template)
  const rested = useRested(body, REST_MS)
  const hasWrongJson = variablesOf(draft, template) === null
  return (
    <Columns areHalves>
      <AskBeforeLeaving hasUnsaved={form.hasUnsaved} />
      <Card>
        <Form
          form={form}
          submit={draft.sendAt === '' ? said.send : said.schedule}
          isWide
          reason={hasWrongJson ? said.variablesWrong : body === undefined ? said.preview.waiting : undefined}
        >
          {isRepeated(form.error) && <Notice tone="warn">{said.repeated}</Notice>}
          <Fields form={form} domains={domains} templates={templates} template={template} installation={installation} />
        </Form>
      </Card>
      <Stack>
        <DryRunPreview project={project} body={rested} />
        {body !== undefined && (
          <AsCall body={body} project={project.id} hasAttachments={draft.attachments.length > 0} />
        )}
      </Stack>
    </Columns>
  )
}

const emptyDraft = (from: string): { [Name in keyof Draft]: Draft[Name] } => ({
  from,
  to: [],
  cc: [],
  bcc: [],
  subject: '',
  kind: 'text',
  text: '',
  html: '',
  templateId: '',
  filled: {},
  variables: '',
  variablesAs: 'form',
  attachments: [],
  sendAt: '',
})

/** The value once nothing has changed it for a while. */
function useRested(value: SendBody | undefined, restMs: number): SendBody | undefined {
  const [rested, setRested] = useState(value)
  const written = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(setRested, restMs, value)
    return () => clearTimeout(timer)
    // The value is made anew with every rendering; what it says is what counts.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [written, restMs])
  return rested
}
