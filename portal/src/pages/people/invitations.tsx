import { useState } from 'react'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { List } from '../../kit/list.tsx'
import { Foreign } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { toast, toastProblem } from '../../kit/toast.tsx'
import { words } from '../../words/words.ts'
import { invitations, useRenew, useWithdraw, type Invitation, type NewInvitation } from './data.ts'
import { LinkDialog } from './invite-dialog.tsx'
import { Roles } from './roles.tsx'

const noSearch = {}

/** Those who are invited and have not joined. */
export function Invitations() {
  const renew = useRenew()
  const withdraw = useWithdraw()
  const [made, setMade] = useState<NewInvitation>()
  const [asked, setAsked] = useState<Invitation>()
  return (
    <Card title={words.people.invitations.title} isFlush>
      <List
        label={words.people.invitations.title}
        search={noSearch}
        rows={invitations}
        rowId={({ id }) => id}
        rowName={({ email }) => email}
        columns={[
          { name: 'email', title: words.people.invitations.email, cell: ({ email }) => <Foreign text={email} /> },
          { name: 'role', title: words.people.invitations.role, cell: (invitation) => <Roles of={invitation} /> },
          {
            name: 'mailed',
            title: words.people.invitations.mailed,
            cell: ({ mailed }) => (mailed ? words.people.invitations.yes : words.people.invitations.no),
          },
          { name: 'until', title: words.people.invitations.until, cell: ({ expiresAt }) => <Until at={expiresAt} /> },
          {
            name: 'actions',
            title: words.people.actions,
            isActions: true,
            cell: (invitation) => (
              <>
                <Button
                  isSmall
                  icon="refresh"
                  isBusy={renew.isBusy}
                  onClick={() => void renew.run({ params: { id: invitation.id } }).then(setMade, toastProblem)}
                >
                  {words.people.invitations.renew}
                </Button>
                <Button isSmall icon="bin" onClick={() => setAsked(invitation)}>
                  {words.people.invitations.withdraw}
                </Button>
              </>
            ),
          },
        ]}
        empty={{
          title: words.people.invitations.empty,
          sentence: words.people.invitations.emptySentence,
          icon: 'mail',
        }}
      />
      <LinkDialog invitation={made} onClose={() => setMade(undefined)} />
      <Confirm
        title={words.people.invitations.withdrawTitle(asked?.email ?? '')}
        action={words.people.invitations.withdraw}
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        onConfirm={async () => {
          if (asked === undefined) return
          await withdraw.run({ params: { id: asked.id } })
          toast({ text: words.people.invitations.withdrawn(asked.email) })
        }}
      >
        {words.people.invitations.withdrawSentence}
      </Confirm>
    </Card>
  )
}

const Until = ({ at }: { at: string }) =>
  Date.parse(at) < Date.now() ? (
    <Badge tone="bad">{words.people.invitations.expired}</Badge>
  ) : (
    <Time at={at} form="short" />
  )
