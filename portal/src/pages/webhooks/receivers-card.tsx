import { useState } from 'react'
import { useSearch } from '../../kit/address.ts'
import { Card } from '../../kit/card.tsx'
import { Code } from '../../kit/code.tsx'
import { Segments, Tabs } from '../../kit/tabs.tsx'
import { Quiet, Stack } from '../../kit/text.tsx'
import { words } from '../../words/words.ts'
import type { Webhook } from './data.ts'
import { receiverLanguages } from './languages.ts'
import { receiver } from './receivers.ts'
import { webhookSearch } from './search.ts'
import type { Form } from './signature.ts'

const said = words.webhooks.receivers

/** Programs that receive the events of this endpoint. */
export function Receivers({ endpoint }: { endpoint: Webhook }) {
  const [{ language = 'typescript' }] = useSearch(webhookSearch)
  const [form, setForm] = useState<Form>('plain')
  return (
    <Card title={said.title} isFlush>
      <Tabs
        label={said.label}
        parameter="language"
        tabs={receiverLanguages.map((name) => ({ name, label: said.languages[name] }))}
        selected={language}
      >
        <Stack>
          <Segments
            label={said.form}
            options={(['plain', 'standard'] as const).map((value) => ({ value, label: said.forms[value] }))}
            value={form}
            onChange={setForm}
          />
          <Code text={receiver(language, form, endpoint)} label={said.code(said.languages[language])} />
          <Quiet isSmall>{said.sentence}</Quiet>
        </Stack>
      </Tabs>
    </Card>
  )
}
