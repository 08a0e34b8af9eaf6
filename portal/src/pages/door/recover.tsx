import { useState, type FormEvent } from 'react'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { Link } from '../../kit/link.tsx'
import { Notice } from '../../kit/notice.tsx'
import { Mono, Stack } from '../../kit/text.tsx'
import { words } from '../../words/words.ts'
import { askForLink } from './data.ts'
import { useDoorForm } from './form.ts'
import { Answer, DoorPage } from './page.tsx'
import { NewWayIn } from './new-way-in.tsx'

const text = words.door.recover
const back = <Link to="/sign-in">{text.back}</Link>

/** Asks for a link, or uses the one that led here. */
export function Recover({ token }: { token: string | undefined }) {
  const [refused, setRefused] = useState<string>()
  if (token !== undefined && refused === undefined) return <NewWayIn token={token} foot={back} onUsed={setRefused} />
  return <AskForLink refused={refused} />
}

function AskForLink({ refused }: { refused: string | undefined }) {
  const { form, values, field, said, busy, isFilled, attempt } = useDoorForm({ email: '' })
  const [sentTo, setSentTo] = useState<string>()
  const email = values.email.trim()
  const send = (event: FormEvent): void => {
    event.preventDefault()
    if (!isFilled({ email: words.door.missing.email })) return
    void attempt('send', async () => {
      await askForLink(email)
      setSentTo(email)
    })
  }
  if (sentTo !== undefined) {
    return (
      <DoorPage title={text.sentTitle} foot={back}>
        <Notice role="status">{text.sent(sentTo)}</Notice>
        <OtherWays email={sentTo} />
      </DoorPage>
    )
  }
  return (
    <DoorPage title={text.title} foot={back}>
      {refused !== undefined && (
        <Notice tone="bad" role="alert">
          {`${refused} ${text.usedHelp}`}
        </Notice>
      )}
      <p>{text.lead}</p>
      <form ref={form} onSubmit={send} noValidate>
        <Stack>
          <Answer said={said} />
          <TextField {...field('email')} label={words.door.fields.email} type="email" autoComplete="username" />
          <Button type="submit" tone="main" isBusy={busy === 'send'}>
            {text.submit}
          </Button>
        </Stack>
      </form>
      <OtherWays email={email} />
    </DoorPage>
  )
}

const OtherWays = ({ email }: { email: string }) => (
  <p>
    {text.otherWays} <Mono>{text.command(email)}</Mono>
  </p>
)
