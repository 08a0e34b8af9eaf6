import { useState } from 'react'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { Quiet } from '../../kit/text.tsx'
import { toast, toastProblem } from '../../kit/toast.tsx'
import { useSession } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { useBeginTotp, useRemoveTotp } from './data.ts'
import { TotpDialog, type TotpSecret } from './totp-dialog.tsx'

const text = words.me.totp

export function Totp() {
  const { person } = useSession()
  const begin = useBeginTotp()
  const remove = useRemoveTotp()
  const [begun, setBegun] = useState<TotpSecret>()
  const [isRemoving, setRemoving] = useState(false)
  return (
    <Card
      title={text.title}
      note={<Badge tone={person.totp ? 'ok' : 'none'}>{person.totp ? text.on : text.off}</Badge>}
      tools={
        person.totp ? (
          <Button onClick={() => setRemoving(true)}>{text.remove}</Button>
        ) : (
          <Button isBusy={begin.isBusy} onClick={() => void begin.run({}).then(setBegun, toastProblem)}>
            {text.setUp}
          </Button>
        )
      }
    >
      <Quiet isSmall>{text.sentence}</Quiet>
      <TotpDialog secret={begun} onClose={() => setBegun(undefined)} />
      <Confirm
        title={text.removeTitle}
        action={text.remove}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        onConfirm={async () => {
          await remove.run({})
          toast({ text: text.removed })
        }}
      >
        {text.removeSentence}
      </Confirm>
    </Card>
  )
}
