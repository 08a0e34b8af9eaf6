import { useState } from 'react'
import { Badge, type StateTone } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { Mono, Quiet, Row, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
import { words } from '../../words/words.ts'
import { useRotateDkim } from './data.ts'
import type { Domain } from './records.ts'

const said = words.domains.dkim

type Key = Domain['dkim'][number]

const tones: Readonly<Record<Key['state'], StateTone>> = { active: 'ok', pending: 'info', retired: 'none' }

/** The keys that sign, will sign or have signed, and a way to a new one. */
export function DkimKeys({ domain, project, mayChange }: { domain: Domain; project: string; mayChange: boolean }) {
  const [isRotating, setRotating] = useState(false)
  const rotate = useRotateDkim()
  const isWaiting = domain.dkim.some(({ state }) => state === 'pending')
  return (
    <Card title={said.title}>
      <Stack>
        <Quiet>{said.sentence}</Quiet>
        {domain.dkim.map((key) => (
          <OneKey key={key.selector} dkim={key} />
        ))}
        {mayChange && (
          <Row>
            <Button icon="refresh" reason={isWaiting ? said.waiting : undefined} onClick={() => setRotating(true)}>
              {said.rotate}
            </Button>
          </Row>
        )}
      </Stack>
      <Confirm
        title={said.rotateTitle}
        action={said.rotateAction}
        tone="main"
        isOpen={isRotating}
        onClose={() => setRotating(false)}
        onConfirm={async () => {
          await rotate.run({ project, params: { id: domain.id } })
          toast({ text: said.rotated })
        }}
      >
        {said.rotateSentence}
      </Confirm>
    </Card>
  )
}

const OneKey = ({ dkim: { selector, algorithm, state, createdAt, keepUntil } }: { dkim: Key }) => (
  <Stack isTight>
    <Row>
      <Mono>{selector}</Mono>
      <Badge tone={tones[state]}>{said.states[state]}</Badge>
    </Row>
    <Quiet isSmall>
      {said.algorithms[algorithm]} · {said.made} <Time at={createdAt} />
      {keepUntil !== null && (
        <>
          {' · '}
          {said.keep} <Time at={keepUntil} form="short" />
        </>
      )}
    </Quiet>
  </Stack>
)
