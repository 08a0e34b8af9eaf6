import { Button } from '../../kit/button.tsx'
import { Or } from '../../kit/door-card.tsx'
import { PasswordField } from '../../kit/field.tsx'
import { canUsePasskeys } from '../../kit/passkeys.ts'
import { Quiet, Stack } from '../../kit/text.tsx'
import { words } from '../../words/words.ts'

interface NewWayProps {
  password: { name: string; value: string; problem: string | undefined; onChange: (value: string) => void }
  /** The button that is at work. */
  busy: string | undefined
  /** The words on the button below the password. */
  submit: string
  onPasskey: () => void
}

/** A passkey where the browser can make one, or a password. */
export function NewWayFields({ password, busy, submit, onPasskey }: NewWayProps) {
  const hasPasskeys = canUsePasskeys()
  return (
    <>
      {hasPasskeys && (
        <>
          <Stack isTight>
            <Button tone="main" icon="passkey" isBusy={busy === 'passkey'} onClick={onPasskey}>
              {words.door.createPasskey}
            </Button>
            <Quiet isSmall>{words.door.passkeyHint}</Quiet>
          </Stack>
          <Or>{words.door.orPassword}</Or>
        </>
      )}
      <PasswordField
        {...password}
        label={words.door.fields.password}
        hint={words.door.fields.newPassword}
        autoComplete="new-password"
      />
      <Button type="submit" tone={hasPasskeys ? 'plain' : 'main'} isBusy={busy === 'password'}>
        {submit}
      </Button>
    </>
  )
}

/** What is said where neither a password was typed nor a passkey made. */
export const missingWay = (): string =>
  canUsePasskeys() ? words.door.missing.newPasswordOrPasskey : words.door.missing.newPassword
