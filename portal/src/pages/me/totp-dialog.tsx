import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Code } from '../../kit/code.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { Qr } from '../../kit/qr.tsx'
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
  if (codes !== undefined) return <CodesDialog codes={codes} onClose={() => setCodes(undefined)} />
  const done = (recoveryCodes: readonly string[]): void => {
    setCodes(recoveryCodes)
    onClose()
  }
  return (
    <Dialog title={text.setUpTitle} description={text.scan} isOpen={secret !== undefined} onClose={onClose}>
      {secret !== undefined && <CodeForm secret={secret} onDone={done} />}
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

function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const lines = codes.join('\n')
  return (
    <Dialog
      title={text.codesTitle}
      description={text.codesSentence}
      isOpen
      onClose={onClose}
      isFirm
      foot={
        <Button tone="main" onClick={onClose}>
          {text.stored}
        </Button>
      }
    >
      <Code text={lines} label={text.codesLabel} copyLabel={null} />
      <Row>
        <CopyButton text={lines} label={text.copyCodes} />
        <Button icon="download" onClick={() => save(new Blob([`${lines}\n`], { type: 'text/plain' }), text.file)}>
          {text.download}
        </Button>
      </Row>
    </Dialog>
  )
}
