import { Confirm } from '../../kit/dialog.tsx'
import { useGo } from '../../kit/link.tsx'
import { Stack } from '../../kit/text.tsx'
import { toast } from '../../kit/toast.tsx'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { useDeleteDomain } from './data.ts'
import type { Domain } from './records.ts'

const said = words.domains.remove

export interface DeleteDomainProps {
  domain: Domain
  project: string
  isOpen: boolean
  onClose: () => void
}

/** The name of a domain that sends has to be typed first. */
export function DeleteDomain({ domain, project, isOpen, onClose }: DeleteDomainProps) {
  const go = useGo()
  const remove = useDeleteDomain()
  const isSent = domain.status === 'verified' || domain.status === 'warning'
  return (
    <Confirm
      title={said.title(domain.name)}
      action={said.action}
      isOpen={isOpen}
      onClose={onClose}
      {...(isSent && { typed: domain.name })}
      onConfirm={async () => {
        await remove.run({ project, params: { id: domain.id } })
        toast({ text: said.done })
        go(to.domains(project))
      }}
    >
      <Stack isTight>
        <span>{said.sentence}</span>
        <span>{said.keys(domain.dkim.length)}</span>
      </Stack>
    </Confirm>
  )
}
