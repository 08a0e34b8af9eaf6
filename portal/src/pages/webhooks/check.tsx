import { useState } from 'react'
import { Card } from '../../kit/card.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { formatDuration } from '../../kit/format.ts'
import { Notice } from '../../kit/notice.tsx'
import { Quiet, Stack } from '../../kit/text.tsx'
import { words } from '../../words/words.ts'
import { diagnose, type Diagnosis } from './diagnosis.ts'
import { canSign } from './signature.ts'
import type { KnownSecret } from './use-secret.ts'

const said = words.webhooks.check

/** Says where a receiver's code goes wrong. Everything is computed here: nothing that is pasted leaves the page. */
export function CheckCode({ secret }: { secret: KnownSecret }) {
  const [diagnosis, setDiagnosis] = useState<Diagnosis>()
  const form = useForm({
    start: { body: '', headers: '', computed: '', used: '' },
    send: async (values) => diagnose({ ...values, ...(await secret.forCheck()), now: Date.now() }),
    onDone: setDiagnosis,
  })
  return (
    <Card title={said.title}>
      <Stack>
        <Quiet>{said.sentence}</Quiet>
        {canSign() ? (
          <Form form={form} submit={said.check} isWide>
            <TextArea label={said.body} {...form.field('body')} rows={4} isMono />
            <TextArea label={said.headers} {...form.field('headers')} hint={said.headersHint} rows={4} isMono />
            <TextField
              label={said.computed}
              {...form.field('computed')}
              hint={said.computedHint}
              autoComplete="off"
              isMono
              isOptional
            />
            <TextField label={said.used} {...form.field('used')} autoComplete="off" isMono isOptional />
            <Quiet isSmall>{said.needsSecret}</Quiet>
          </Form>
        ) : (
          <Notice tone="warn">{said.insecure}</Notice>
        )}
        <div role="status">{diagnosis !== undefined && <Findings diagnosis={diagnosis} />}</div>
      </Stack>
    </Card>
  )
}

function Findings({ diagnosis: { request, oldSeconds, mistakes, used } }: { diagnosis: Diagnosis }) {
  return (
    <Stack>
      <Notice tone={request.kind === 'genuine' ? 'ok' : 'bad'} title={said.result}>
        {said.request[request.kind]}
      </Notice>
      {oldSeconds !== undefined && <Notice tone="warn">{said.old(formatDuration(oldSeconds * 1_000))}</Notice>}
      {used !== undefined && <Notice tone={used === 'right' ? 'ok' : 'bad'}>{said.used_[used]}</Notice>}
      {mistakes === null && <Notice tone="bad">{said.codeUnknown}</Notice>}
      {mistakes !== null && mistakes?.length === 0 && <Notice tone="ok">{said.codeRight}</Notice>}
      {mistakes?.map((mistake) => (
        <Notice key={mistake} tone={mistake === 'prefix_left_out' ? 'info' : 'bad'}>
          {said.mistakes[mistake]}
        </Notice>
      ))}
    </Stack>
  )
}
