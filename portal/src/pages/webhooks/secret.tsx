import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { Code } from '../../kit/code.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { formatDuration } from '../../kit/format.ts'
import { useNow } from '../../kit/now.ts'
import { Hidden, Mono, Quiet, Row, Stack, Strong } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { toast, toastProblem } from '../../kit/toast.tsx'
import { words } from '../../words/words.ts'
import { SECRET_PREFIX } from './signature.ts'
import type { KnownSecret, Shown } from './use-secret.ts'

const said = words.webhooks.secret

/** The signing secret: hidden until somebody asks, and again a minute later. */
export function SecretCard({ secret }: { secret: KnownSecret }) {
  const [isBusy, setBusy] = useState(false)
  const [isRotating, setRotating] = useState(false)
  const show = async (): Promise<void> => {
    setBusy(true)
    await secret.show().then(() => toast({ text: said.shown }), toastProblem)
    setBusy(false)
  }
  return (
    <Card title={said.title}>
      <Stack>
        <Quiet>{said.sentence}</Quiet>
        {secret.shown === undefined ? (
          <div>
            <Mono>
              {SECRET_PREFIX}
              <span aria-hidden="true">{'•'.repeat(24)}</span>
            </Mono>
            <Hidden>{said.dots}</Hidden>
          </div>
        ) : (
          <ShownSecret shown={secret.shown} />
        )}
        <Row>
          {secret.shown === undefined ? (
            <Button icon="eye" isBusy={isBusy} onClick={() => void show()}>
              {said.show}
            </Button>
          ) : (
            <>
              <CopyButton text={secret.shown.secret} label={said.copy} tone="main" />
              <Button onClick={secret.hide}>{said.hide}</Button>
            </>
          )}
          <Button icon="refresh" onClick={() => setRotating(true)}>
            {said.rotate}
          </Button>
        </Row>
        <Quiet isSmall>{said.logged}</Quiet>
      </Stack>
      <Confirm
        title={said.rotateTitle}
        action={said.rotateAction}
        tone="main"
        isOpen={isRotating}
        onClose={() => setRotating(false)}
        onConfirm={async () => {
          await secret.rotate()
          toast({ text: said.rotated })
        }}
      >
        <Stack isTight>
          <span>{said.rotateSentence}</span>
          <span>{said.rotateBoth}</span>
        </Stack>
      </Confirm>
    </Card>
  )
}

function ShownSecret({ shown: { secret, earlier, since, validUntil, until } }: { shown: Shown }) {
  const now = useNow()
  return (
    <Stack isTight>
      {earlier !== undefined && <Strong>{said.new}</Strong>}
      <Code text={secret} label={earlier === undefined ? said.current : said.new} wraps copyLabel={null} />
      {earlier !== undefined && (
        <>
          <Strong>{said.old}</Strong>
          <Code text={earlier} label={said.old} wraps copyLabel={words.kit.copyThing(said.old)} />
        </>
      )}
      <Quiet isSmall>
        {said.goneIn(formatDuration(Math.max(1, Math.ceil((until - now) / 1_000)) * 1_000))}{' '}
        {since !== undefined && (
          <>
            {said.since} <Time at={since} form="short" />.
          </>
        )}{' '}
        {validUntil !== undefined && (
          <>
            {said.earlier} <Time at={validUntil} form="short" />.
          </>
        )}
      </Quiet>
    </Stack>
  )
}
