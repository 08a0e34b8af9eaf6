import { useEffect, type ReactNode } from 'react'
import { Button } from '../../kit/button.tsx'
import { DoorCard } from '../../kit/door-card.tsx'
import { relativeTime } from '../../kit/format.ts'
import { Notice } from '../../kit/notice.tsx'
import { useNow } from '../../kit/now.ts'
import { Quiet, Stack } from '../../kit/text.tsx'
import { words } from '../../words/words.ts'
import type { Said } from './form.ts'

interface DoorPageProps {
  title: string
  children: ReactNode
  foot?: ReactNode
}

export function DoorPage({ title, children, foot }: DoorPageProps) {
  useEffect(() => {
    document.title = `${title} · ${words.door.product}`
  }, [title])
  useEffect(() => document.querySelector<HTMLElement>('[data-first-focus]')?.focus(), [])
  return (
    <DoorCard title={title} foot={foot}>
      {children}
    </DoorCard>
  )
}

/** The answer to an attempt, and how long to wait before the next. */
export const Answer = ({ said, help }: { said: Said | undefined; help?: ReactNode }) =>
  said !== undefined && (
    <Stack isTight>
      <Notice tone={said.tone} role="alert">
        {said.sentence}
      </Notice>
      {said.againAt !== undefined && <Wait until={said.againAt} />}
      {help}
    </Stack>
  )

/** It stands outside of the answer, which would be read out again each second. */
function Wait({ until }: { until: number }) {
  const now = Math.max(useNow(), Date.now() - 1_000)
  return until > now && <Quiet isSmall>{words.door.again(relativeTime(new Date(until), now))}</Quiet>
}

/** Nobody knows whether somebody is signed in here, because the server did not answer. */
export const Lost = ({ onRetry }: { onRetry: () => void }) => (
  <Notice tone="bad" role="alert" actions={<Button onClick={onRetry}>{words.door.tryAgain}</Button>}>
    {words.door.lost}
  </Notice>
)
