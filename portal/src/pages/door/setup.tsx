import { useState, type FormEvent } from 'react'
import { TextField } from '../../kit/field.tsx'
import { makePasskey } from '../../kit/passkeys.ts'
import { problemOf } from '../../kit/problem.ts'
import { Mono, Stack } from '../../kit/text.tsx'
import { words } from '../../words/words.ts'
import { newPasskeyOptions, setUp, visit, type NewWay } from './data.ts'
import { Elsewhere } from './elsewhere.tsx'
import { useDoorForm } from './form.ts'
import { missingWay, NewWayFields } from './new-way.tsx'
import { Answer, DoorPage, Lost } from './page.tsx'
import { proofIn } from './token.ts'
import { goOn, publicUrlIn, useLeadOn, useVisit } from './visit.ts'

const { setup, fields, missing } = words.door

/** Makes the first owner. Once there is one, the page leads to signing in, whatever its link. */
export function Setup({ token }: { token: string | undefined }) {
  const { answer, isLost, ask } = useVisit()
  const { form, values, field, said, setProblems, busy, isFilled, attempt } = useDoorForm({
    secret: '',
    name: '',
    email: '',
    password: '',
  })
  const [refusedToken, setRefusedToken] = useState<string>()
  const isIn = answer !== undefined && 'session' in answer
  const hasOwner = answer !== undefined && 'signedOut' in answer && answer.signedOut.setUp
  useLeadOn(isIn ? '/' : hasOwner ? '/sign-in' : undefined)

  const wasRefused = token !== undefined && token === refusedToken
  const asksProof = token === undefined || wasRefused
  const needed = { ...(asksProof && { secret: missing.secret }), name: missing.name, email: missing.email }
  const create = async (way: NewWay): Promise<void> => {
    const proof = asksProof ? proofIn(values.secret) : { token }
    try {
      await setUp({ ...way, ...proof, name: values.name.trim(), email: values.email.trim() })
    } catch (error) {
      if (problemOf(error).code !== 'link_used') throw error
      await leaveIfOwned(() => setRefusedToken(token))
      if ('secret' in proof) return setProblems({ secret: setup.wrongSecret })
      throw error
    }
    await goOn('/')
  }
  const byPasskey = (): void => {
    if (!isFilled(needed)) return
    void attempt('passkey', async () => create({ credential: await makePasskey(await newPasskeyOptions(values)) }))
  }
  const byPassword = (event: FormEvent): void => {
    event.preventDefault()
    if (!isFilled({ ...needed, password: missingWay() })) return
    void attempt('password', () => create({ password: values.password }))
  }

  return (
    <DoorPage title={setup.title}>
      {isLost && <Lost onRetry={ask} />}
      {token === undefined ? <WhereTheLinkIs /> : <p>{setup.lead}</p>}
      <form ref={form} onSubmit={byPassword} noValidate>
        <Stack>
          <Answer said={said} help={wasRefused && <p>{setup.usedHelp}</p>} />
          {asksProof && (
            <TextField
              {...field('secret')}
              label={setup.secret}
              hint={setup.secretHint}
              autoComplete="off"
              isMono
              hasFirstFocus
            />
          )}
          <TextField {...field('name')} label={fields.name} autoComplete="name" hasFirstFocus={token !== undefined} />
          <TextField {...field('email')} label={fields.email} type="email" autoComplete="username" />
          <NewWayFields password={field('password')} busy={busy} submit={setup.submit} onPasskey={byPasskey} />
          <Elsewhere publicUrl={publicUrlIn(answer)} token={token} />
        </Stack>
      </form>
    </DoorPage>
  )
}

const WhereTheLinkIs = () => (
  <Stack isTight>
    <p>
      {setup.where} <Mono>{setup.command}</Mono>.
    </p>
    <p>{setup.whereSecret}</p>
  </Stack>
)

/** A link that does not work any more is mostly one that somebody has used: then there is an owner. */
async function leaveIfOwned(otherwise: () => void): Promise<void> {
  const answer = await visit()
  if ('signedOut' in answer && !answer.signedOut.setUp) return otherwise()
  await goOn('/sign-in')
}
