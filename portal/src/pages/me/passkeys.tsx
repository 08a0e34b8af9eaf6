import type { Passkey } from '@posthouse/sdk'
import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { Confirm, Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { canUsePasskeys, hasName, makePasskey } from '../../kit/passkeys.ts'
import { Table } from '../../kit/table.tsx'
import { Foreign, Quiet, Stack } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { toast } from '../../kit/toast.tsx'
import { useSession } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { passkeyOptions, useAddPasskey, useRemovePasskey, useRenamePasskey } from './data.ts'
import { deviceName } from './device.ts'

const text = words.me.passkeys

export function Passkeys() {
  const { person } = useSession()
  const [isAdding, setAdding] = useState(false)
  const [renamed, setRenamed] = useState<Passkey>()
  const [removed, setRemoved] = useState<Passkey>()
  const remove = useRemovePasskey()
  return (
    <Card
      title={text.title}
      isFlush={person.passkeys.length > 0}
      tools={
        canUsePasskeys() && (
          <Button icon="plus" onClick={() => setAdding(true)}>
            {text.add}
          </Button>
        )
      }
      foot={person.passkeys.length > 0 ? <About /> : undefined}
    >
      {person.passkeys.length === 0 ? (
        <Stack isTight>
          <p>{text.none}</p>
          <About />
        </Stack>
      ) : (
        <Table
          label={text.title}
          rows={person.passkeys}
          rowId={({ id }) => id}
          rowName={({ name }) => name}
          columns={[
            { name: 'name', title: text.name, cell: ({ name }) => <Foreign text={name} /> },
            { name: 'added', title: text.added, cell: ({ createdAt }) => <Time at={createdAt} /> },
            {
              name: 'used',
              title: text.used,
              cell: ({ lastUsedAt }) => (lastUsedAt === null ? text.never : <Time at={lastUsedAt} />),
            },
            {
              name: 'actions',
              title: text.actions,
              isActions: true,
              cell: (passkey) => (
                <>
                  <Button isSmall onClick={() => setRenamed(passkey)}>
                    {text.rename}
                  </Button>
                  <Button isSmall onClick={() => setRemoved(passkey)}>
                    {text.remove}
                  </Button>
                </>
              ),
            },
          ]}
        />
      )}
      <Dialog size="small" title={text.addTitle} isOpen={isAdding} onClose={() => setAdding(false)}>
        {isAdding && <AddForm onDone={() => setAdding(false)} />}
      </Dialog>
      <Dialog
        size="small"
        title={text.renameTitle(renamed?.name ?? '')}
        isOpen={renamed !== undefined}
        onClose={() => setRenamed(undefined)}
      >
        {renamed !== undefined && <RenameForm passkey={renamed} onDone={() => setRenamed(undefined)} />}
      </Dialog>
      <Confirm
        title={text.removeTitle(removed?.name ?? '')}
        action={text.remove}
        isOpen={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        onConfirm={async () => {
          if (removed === undefined) return
          await remove.run({ params: { id: removed.id } })
          toast({ text: text.removed(removed.name) })
        }}
      >
        {text.removeSentence}
      </Confirm>
    </Card>
  )
}

/** What passkeys are; or where they are, for those who have opened the portal by an address. */
function About() {
  const { installation } = useSession()
  if (canUsePasskeys()) return <Quiet isSmall>{text.sentence}</Quiet>
  const url = URL.parse(installation.publicUrl)
  if (hasName(location.hostname) || url === null || !hasName(url.hostname))
    return <Quiet isSmall>{text.unsupported}</Quiet>
  return (
    <Quiet isSmall>
      {text.cannot} <a href={url.origin + location.pathname}>{text.cannotLink(url.host)}</a>
    </Quiet>
  )
}

function AddForm({ onDone }: { onDone: () => void }) {
  const add = useAddPasskey()
  const form = useForm({
    start: { name: deviceName(navigator.userAgent) },
    send: async ({ name }) => {
      const credential = await makePasskey(await passkeyOptions())
      return add.run({ body: { name: name.trim(), credential } })
    },
    onDone: () => {
      toast({ text: text.created })
      onDone()
    },
  })
  return (
    <Form form={form} submit={text.create}>
      <TextField label={text.name} hint={text.nameHint} {...form.field('name')} autoComplete="off" hasFirstFocus />
    </Form>
  )
}

function RenameForm({ passkey: { id, name: before }, onDone }: { passkey: Passkey; onDone: () => void }) {
  const rename = useRenamePasskey()
  const form = useForm({
    start: { name: before },
    send: ({ name }) => rename.run({ params: { id }, body: { name: name.trim() } }),
    onDone,
  })
  return (
    <Form form={form} submit={text.save}>
      <TextField label={text.name} {...form.field('name')} autoComplete="off" hasFirstFocus />
    </Form>
  )
}
