import { useState } from 'react'
import { Card } from '../../kit/card.tsx'
import { Code } from '../../kit/code.tsx'
import { Segments } from '../../kit/tabs.tsx'
import { Quiet, Stack } from '../../kit/text.tsx'
import { asCurl } from '../../shell/requests.ts'
import { useSession } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import type { SendBody } from './draft.ts'

const said = words.send

export interface AsCallProps {
  body: SendBody
  project: string
  hasAttachments: boolean
}

/** The call that the form stands for. */
export function AsCall({ body, project, hasAttachments }: AsCallProps) {
  const [language, setLanguage] = useState<'curl' | 'typescript'>('curl')
  const { publicUrl } = useSession().installation
  const written = JSON.stringify(body, undefined, 2)
  const curl = asCurl({ method: 'POST', path: '/api/v1/email/send', project, body: written }, publicUrl)
  return (
    <Card title={said.asCall}>
      <Stack>
        <Segments
          label={said.callLanguage}
          options={[
            { value: 'curl', label: said.asCurl },
            { value: 'typescript', label: said.asTypeScript },
          ]}
          value={language}
          onChange={setLanguage}
        />
        <Code
          text={language === 'curl' ? curl : typescriptOf(written, project, publicUrl)}
          label={language === 'curl' ? said.asCurl : said.asTypeScript}
        />
        {hasAttachments && <Quiet isSmall>{said.attachmentsLeftOut}</Quiet>}
      </Stack>
    </Card>
  )
}

const typescriptOf = (
  body: string,
  project: string,
  origin: string,
): string => `const answer = await fetch('${origin}/api/v1/email/send', {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.POSTHOUSE_KEY}\`,
    'content-type': 'application/json',
    'x-service-project-id': '${project}',
  },
  body: JSON.stringify(${body.replaceAll('\n', '\n  ')}),
})
console.log(await answer.json())`
