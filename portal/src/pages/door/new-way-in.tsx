import type { FormEvent, ReactNode } from 'react'
import { makePasskey } from '../../kit/passkeys.ts'
import { problemOf } from '../../kit/problem.ts'
import { Stack } from '../../kit/text.tsx'
import { words } from '../../words/words.ts'
import { newPasskeyOptions, recover, type NewWay } from './data.ts'
import { Elsewhere } from './elsewhere.tsx'
import { useDoorForm } from './form.ts'
import { missingWay, NewWayFields } from './new-way.tsx'
import { Answer, DoorPage } from './page.tsx'
import { goOn, publicUrlIn, useVisit } from './visit.ts'

const text = words.door.recover

interface NewWayInProps {
  token: string
  foot: ReactNode
  /** The link does not work any more; with the sentence that says so. */
  onUsed: (sentence: string) => void
}

/** Gives somebody who holds a link of recovery a new password or passkey. */
export function NewWayIn({ token, foot, onUsed }: NewWayInProps) {
  const { answer } = useVisit()
  const { form, field, values, said, busy, isFilled, attempt } = useDoorForm({ password: '' })
  const finish = async (way: NewWay): Promise<void> => {
    try {
      await recover({ ...way, token })
    } catch (error) {
      const { code, error: sentence } = problemOf(error)
      if (code === 'link_used') return onUsed(sentence)
      throw error
    }
    await goOn('/')
  }
  const byPasskey = (): void =>
    void attempt('passkey', async () => {
      const options = await newPasskeyOptions({ name: words.door.product, email: words.door.product })
      await finish({ credential: await makePasskey(options) })
    })
  const byPassword = (event: FormEvent): void => {
    event.preventDefault()
    if (isFilled({ password: missingWay() })) void attempt('password', () => finish({ password: values.password }))
  }
  return (
    <DoorPage title={text.finishTitle} foot={foot}>
      <p>{text.finishLead}</p>
      <form ref={form} onSubmit={byPassword} noValidate>
        <Stack>
          <Answer said={said} />
          <NewWayFields password={field('password')} busy={busy} submit={text.finishSubmit} onPasskey={byPasskey} />
          <Elsewhere publicUrl={publicUrlIn(answer)} token={token} />
        </Stack>
      </form>
    </DoorPage>
  )
}
