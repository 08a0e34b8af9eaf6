import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { PasswordField, TextField } from '../kit/field.tsx'
import { Form, useForm } from '../kit/form.tsx'
import { Notice } from '../kit/notice.tsx'
import { askPasskey, canUsePasskeys } from '../kit/passkeys.ts'
import { Refusal } from '../kit/refusal.tsx'
import { words } from '../words/words.ts'
import { call } from './api.ts'
import { useQuestion } from './confirmation.ts'
import { useSession } from './session.ts'

/** "Confirm that it is you", whenever a call wants the person and not only their cookie. */
export function ConfirmDialog() {
  const question = useQuestion()
  const answer = question?.answer ?? (() => undefined)
  return (
    <Dialog
      size="small"
      title={words.shell.confirm.title}
      description={words.shell.confirm.sentence}
      isOpen={question !== undefined}
      onClose={() => answer(false)}
    >
      {question !== undefined && <Ways ways={question.ways} onConfirmed={() => answer(true)} />}
    </Dialog>
  )
}

interface WaysProps {
  ways: readonly string[]
  onConfirmed: () => void
}

function Ways({ ways, onConfirmed }: WaysProps) {
  const { person } = useSession()
  const may = (way: string, has: boolean): boolean => (ways.length === 0 ? has : ways.includes(way))
  const withPassword = may('password', person.hasPassword)
  const withCode = may('totp', person.totp) && !withPassword
  const withPasskey = may('passkey', person.passkeys.length > 0) && canUsePasskeys()
  if (!withPassword && !withCode && !withPasskey) return <Notice tone="warn">{words.shell.confirm.noWay}</Notice>
  return (
    <>
      {(withPassword || withCode) && <Typed way={withPassword ? 'password' : 'totp'} onConfirmed={onConfirmed} />}
      {withPasskey && <ByPasskey isOnly={!withPassword && !withCode} onConfirmed={onConfirmed} />}
    </>
  )
}

function Typed({ way, onConfirmed }: { way: 'password' | 'totp'; onConfirmed: () => void }) {
  const queries = useQueryClient()
  const form = useForm({
    start: { password: '', totp: '' },
    wholeAt: way,
    send: (values) =>
      call('POST /session/confirm', { body: { [way]: way === 'totp' ? values.totp.trim() : values.password } }),
    onDone: () => {
      void queries.invalidateQueries({ queryKey: ['GET /session'] })
      onConfirmed()
    },
  })
  return (
    <Form form={form} submit={words.shell.confirm.confirm}>
      {way === 'password' ? (
        <PasswordField
          label={words.shell.confirm.password}
          {...form.field('password')}
          autoComplete="current-password"
          hasFirstFocus
        />
      ) : (
        <TextField
          label={words.shell.confirm.code}
          hint={words.shell.confirm.codeHint}
          {...form.field('totp')}
          autoComplete="one-time-code"
          inputMode="numeric"
          hasFirstFocus
        />
      )}
    </Form>
  )
}

function ByPasskey({ isOnly, onConfirmed }: { isOnly: boolean; onConfirmed: () => void }) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const confirm = async (): Promise<void> => {
    setBusy(true)
    setError(undefined)
    try {
      const options = await call('POST /session/passkey/options')
      await call('POST /session/confirm', { body: { credential: await askPasskey(options) } })
      onConfirmed()
    } catch (thrown) {
      setError(thrown)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      {error !== undefined && <Refusal error={error} />}
      <Button
        icon="passkey"
        tone={isOnly ? 'main' : 'plain'}
        isBusy={isBusy}
        onClick={() => void confirm()}
        data-first-focus={isOnly || undefined}
      >
        {words.shell.confirm.passkey}
      </Button>
    </>
  )
}
