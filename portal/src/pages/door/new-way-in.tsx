import { useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../../kit/button.tsx'
import { makePasskey } from '../../kit/passkeys.ts'
import { problemOf } from '../../kit/problem.ts'
import { Stack } from '../../kit/text.tsx'
import { words } from '../../words/words.ts'
import { newPasskeyOptions, recover, type NewWay } from './data.ts'
import { Elsewhere } from './elsewhere.tsx'
import { useDoorForm } from './form.ts'
import { missingWay, NewWayFields } from './new-way.tsx'
import { Answer, DoorPage } from './page.tsx'
import { codeIn, noCodes, SecondFactor, type Factor } from './second-factor.tsx'
import { goOn, publicUrlIn, useVisit } from './visit.ts'

const text = words.door.recover

interface NewWayInProps {
  token: string
  foot: ReactNode
  /** The link does not work any more; with the sentence that says so. */
  onUsed: (sentence: string) => void
}

/** Gives somebody who holds a link of recovery a new password or passkey. The link never replaces their second factor. */
export function NewWayIn({ token, foot, onUsed }: NewWayInProps) {
  const { answer } = useVisit()
  const { form, field, values, said, setSaid, busy, isFilled, attempt } = useDoorForm({ password: '', ...noCodes })
  const [factor, setFactor] = useState<Factor>()
  /** The passkey that was made before the code was asked for. */
  const [made, setMade] = useState<NewWay>()
  const finish = async (way: NewWay): Promise<void> => {
    try {
      await recover({ ...way, token, ...codeIn(values, factor) })
    } catch (error) {
      const { code, error: sentence } = problemOf(error)
      if (code === 'link_used') return onUsed(sentence)
      // The server takes the answer of a browser once.
      setMade(undefined)
      if (factor !== undefined || code !== 'second_factor_required') throw error
      setFactor('totp')
      if ('credential' in way) setMade(way)
      return setSaid({ sentence: text.codeAsked, tone: 'info' })
    }
    await goOn('/')
  }
  const missing = (): Record<string, string> => ({
    ...(made === undefined && { password: missingWay() }),
    ...(factor !== undefined && { [factor]: words.door.missing.code }),
  })
  const byPasskey = (): void =>
    void attempt('passkey', async () => {
      const options = await newPasskeyOptions({ name: words.door.product, email: words.door.product })
      await finish({ credential: await makePasskey(options) })
    })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isFilled(missing())) void attempt('password', () => finish(made ?? { password: values.password }))
  }
  return (
    <DoorPage title={text.finishTitle} foot={foot}>
      <p>{text.finishLead}</p>
      <form ref={form} onSubmit={submit} noValidate>
        <Stack>
          <Answer said={said} />
          {factor !== undefined && <SecondFactor factor={factor} field={field} onChange={setFactor} />}
          {made === undefined ? (
            <NewWayFields password={field('password')} busy={busy} submit={text.finishSubmit} onPasskey={byPasskey} />
          ) : (
            <Button type="submit" tone="main" isBusy={busy === 'password'}>
              {text.finishSubmit}
            </Button>
          )}
          <Elsewhere publicUrl={publicUrlIn(answer)} token={token} />
        </Stack>
      </form>
    </DoorPage>
  )
}
