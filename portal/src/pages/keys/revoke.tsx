import { Confirm } from '../../kit/dialog.tsx'
import { Quiet, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
import { words } from '../../words/words.ts'
import { useRevoke, type Key } from './data.ts'

const said = words.keys.revoke

/** Asks before a key stops working. */
export function RevokeKey({ revoked, onClose }: { revoked: Key | undefined; onClose: () => void }) {
  const revoke = useRevoke()
  return (
    <Confirm
      title={revoked === undefined ? '' : said.title(revoked.name)}
      action={said.action}
      isOpen={revoked !== undefined}
      onClose={onClose}
      onConfirm={async () => {
        if (revoked === undefined) return
        await revoke.run({ params: { id: revoked.id } })
        toast({ text: said.done(revoked.name) })
      }}
    >
      <Stack isTight>
        <span>{said.sentence}</span>
        <Quiet isSmall>
          {said.lastUsed}:{' '}
          {revoked === undefined || revoked.lastUsedAt === null ? words.keys.never : <Time at={revoked.lastUsedAt} />}
        </Quiet>
      </Stack>
    </Confirm>
  )
}
