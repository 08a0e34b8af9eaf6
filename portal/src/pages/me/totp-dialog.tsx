import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Code } from '../../kit/code.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { Qr } from '../../kit/qr.tsx'
import { ShownOnce } from '../../kit/shown-once.tsx'
import { Row, Stack } from '../../kit/text.tsx'
import { save } from '../../shell/api.ts'
import { words } from '../../words/words.ts'
import { useConfirmTotp } from './data.ts'

const text = words.me.totp

export interface TotpSecret {
  secret: string
  uri: string
}

interface TotpDialogProps {
  secret: TotpSecret | undefined
  onClose: () => void
}

/** The secret for the app, a code that proves that it has it, then the recovery codes, this once. */
export function TotpDialog({ secret, onClose }: TotpDialogProps) {
  const [codes, setCodes] = useState<readonly string[]>()
  const close = (): void => {
    setCodes(undefined)
    onClose()
  }
  return (
    <Dialog
      title={codes === undefined ? text.setUpTitle : text.codesTitle}
      description={codes === undefined ? text.scan : text.codesSentence}
      isOpen={secret !== undefined}
      onClose={close}
      isFirm={codes !== undefined}
    >
      {codes !== undefined ? (
        <Codes codes={codes} onDone={close} />
      ) : (
        secret !== undefined && <CodeForm secret={secret} onDone={setCodes} />
      )}
    </Dialog>
  )
}

function CodeForm({
  secret: { secret, uri },
  onDone,
}: {
  secret: TotpSecret
  onDone: (codes: readonly string[]) => void
}) {
  const confirm = useConfirmTotp()
  const form = useForm({
    start: { code: '' },
    send: ({ code }) => confirm.run({ body: { code: code.replaceAll(' ', '') } }),
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  return (
    <Form form={form} submit={text.confirm}>
      <Row>
        <Qr text={uri} label={text.qr} />
      </Row>
      <Stack isTight>
        <span>{text.secret}</span>
        <Code text={secret} label={text.secret} copyLabel={text.copySecret} wraps />
      </Stack>
      <TextField
        label={text.code}
        {...form.field('code')}
        autoComplete="one-time-code"
        inputMode="numeric"
        isMono
        hasFirstFocus
      />
    </Form>
  )
}

function Codes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const lines = codes.join('\n')
  return (
    <ShownOnce>
      <Code text={lines} label={text.codesLabel} copyLabel={null} />
      <Row>
        <CopyButton text={lines} label={text.copyCodes} />
        <Button icon="download" onClick={() => save(new Blob([`${lines}\n`], { type: 'text/plain' }), text.file)}>
          {text.download}
        </Button>
      </Row>
      <Row isAtEnd>
        <Button tone="main" onClick={onDone}>
          {text.stored}
        </Button>
      </Row>
    </ShownOnce>
  )
}
