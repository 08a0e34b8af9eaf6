import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { formatBytes } from '../../kit/format.ts'
import { Spoken } from '../../kit/spoken.tsx'
import { Foreign, Quiet, Stack, Strong } from '../../kit/text.tsx'
import { Waiting } from '../../kit/waiting.tsx'
import { words } from '../../words/words.ts'
import { dialogueQuery, type Dialogue, type Email } from './data.ts'

const said = words.emails.happened

type Explanation = NonNullable<Email['events'][number]['explanation']>

/** What the reply of a server means: what happened, what to do, and whose it is. */
export const Explained = ({ explanation: { title, sentence, advice, cause } }: { explanation: Explanation }) => (
  <Stack isTight>
    <Strong>{title}</Strong>
    <span>
      {sentence} {advice}
    </span>
    <Quiet isSmall>{said.causes[cause]}</Quiet>
  </Stack>
)

export interface WhatWasSaidProps {
  email: string
  project: string
  dialogueId: string
}

/** A button that shows the dialogue below itself. */
export function WhatWasSaid({ email, project, dialogueId }: WhatWasSaidProps) {
  const [isOpen, setOpen] = useState(false)
  const place = useId()
  return (
    <Stack isTight>
      <div>
        <Button
          isSmall
          tone="quiet"
          icon="terminal"
          aria-expanded={isOpen}
          aria-controls={isOpen ? place : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {said.whatWasSaid}
        </Button>
      </div>
      {isOpen && (
        <div id={place}>
          <Opened email={email} project={project} dialogueId={dialogueId} />
        </div>
      )}
    </Stack>
  )
}

function Opened({ email, project, dialogueId }: WhatWasSaidProps) {
  const query = useQuery(dialogueQuery(project, email, dialogueId))
  return query.data === undefined ? <Waiting query={query} rows={4} /> : <Shown dialogue={query.data} />
}

const Shown = ({ dialogue: { lines, peer, bytes } }: { dialogue: Dialogue }) => (
  <Stack isTight>
    <Quiet isSmall>
      <Foreign text={peerLine(peer)} />
    </Quiet>
    <Spoken label={said.dialogue} lines={lines} />
    {bytes > 0 && <Quiet isSmall>{said.contentLeftOut(formatBytes(bytes))}</Quiet>}
  </Stack>
)

function peerLine({ host, address, tls, source }: Dialogue['peer']): string {
  if (host === null && address === null) return said.noServer
  const there = [host, address === null ? null : `[${address}]`].filter((part) => part !== null).join(' ')
  return [there, tls ?? said.noTls, ...(source === null ? [] : [said.source(source)])].join(' · ')
}
