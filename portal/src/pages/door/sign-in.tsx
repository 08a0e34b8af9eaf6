import type { Credential } from '@posthouse/sdk'
import { useState, type FormEvent } from 'react'
import { Button } from '../../kit/button.tsx'
import { Or } from '../../kit/door-card.tsx'
import { PasswordField, TextField } from '../../kit/field.tsx'
import { Link } from '../../kit/link.tsx'
import { askPasskey, canUsePasskeys } from '../../kit/passkeys.ts'
import { problemOf } from '../../kit/problem.ts'
import { Stack } from '../../kit/text.tsx'
import { words } from '../../words/words.ts'
import { useAutofill } from './autofill.ts'
import { passkeyOptions, signIn, signInByPasskey } from './data.ts'
import { Elsewhere } from './elsewhere.tsx'
import { useDoorForm } from './form.ts'
import { nextPath } from './next.ts'
import { Answer, DoorPage, Lost } from './page.tsx'
import { codeIn, noCodes, SecondFactor, type Factor } from './second-factor.tsx'
import { goOn, publicUrlIn, useLeadOn, useVisit } from './visit.ts'

const { fields, missing } = words.door
const { signIn: text } = words.door

export function SignIn() {
  const next = nextPath(location.search)
  const { answer, isLost, ask } = useVisit()
  const { form, values, field, said, setSaid, busy, isFilled, attempt } = useDoorForm({
    email: '',
    password: '',
    ...noCodes,
  })
  const [factor, setFactor] = useState<Factor>()
  /** From the first attempt on nothing is filled in: an authenticator that answers by itself would come in between. */
  const [hasTried, setTried] = useState(false)
  const isIn = answer !== undefined && 'session' in answer
  const hasNoOwner = answer !== undefined && 'signedOut' in answer && answer.signedOut.setUp === false
  useLeadOn(isIn ? next : hasNoOwner ? '/setup' : undefined)

  const byPassword = (event: FormEvent): void => {
    event.preventDefault()
    const code = factor === undefined ? {} : { [factor]: missing.code }
    if (!isFilled({ email: missing.email, password: missing.password, ...code })) return
    setTried(true)
    void attempt('password', async () => {
      const { email, password } = values
      try {
        await signIn({ email: email.trim(), password, ...codeIn(values, factor) })
      } catch (error) {
        if (factor !== undefined || problemOf(error).code !== 'second_factor_required') throw error
        setFactor('totp')
        return setSaid({ sentence: text.codeAsked, tone: 'info' })
      }
      await goOn(next)
    })
  }
  const byPasskey = (ask: () => Promise<Credential>): void => {
    setTried(true)
    void attempt('passkey', async () => {
      await signInByPasskey(await ask())
      await goOn(next)
    })
  }
  useAutofill(!hasTried && !isIn, (credential) => byPasskey(async () => credential))

  return (
    <DoorPage title={text.title} foot={<Link to="/recover">{text.cannot}</Link>}>
      {isLost && <Lost onRetry={ask} />}
      <form ref={form} onSubmit={byPassword} noValidate>
        <Stack>
          <Answer said={said} />
          <TextField
            {...field('email')}
            label={fields.email}
            type="email"
            autoComplete="username webauthn"
            hasFirstFocus
          />
          <PasswordField {...field('password')} label={fields.password} autoComplete="current-password" />
          {factor !== undefined && <SecondFactor factor={factor} field={field} onChange={setFactor} />}
          <Button type="submit" tone="main" isBusy={busy === 'password'}>
            {text.submit}
          </Button>
          {canUsePasskeys() && (
            <>
              <Or>{text.or}</Or>
              <Button
                icon="passkey"
                isBusy={busy === 'passkey'}
                onClick={() => byPasskey(async () => askPasskey(await passkeyOptions()))}
              >
                {text.passkey}
              </Button>
            </>
          )}
          <Elsewhere publicUrl={publicUrlIn(answer)} />
        </Stack>
      </form>
    </DoorPage>
  )
}
