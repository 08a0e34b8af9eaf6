import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Mono, Quiet, Row, Stack } from '../../kit/text.tsx'
import { toastProblem } from '../../kit/toast.tsx'
import type { Project } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { useCreateReceivingDomain, useReceivingDomains } from './data.ts'

const said = words.inbox.empty

/** An address to write to: of a domain that there is already, or of one that is made now. The list then waits for the first mail. */
export function GetAddress({ project }: { project: Project }) {
  const domains = useReceivingDomains(project)
  const create = useCreateReceivingDomain()
  const ready = domains.find(({ status }) => status === 'verified')
  if (ready === undefined) {
    if (!project.can('receiving:write')) return null
    const press = (): void => void create.run({ project: project.id, body: { type: 'managed' } }).catch(toastProblem)
    return (
      <Button tone="main" icon="plus" isBusy={create.isBusy} onClick={press}>
        {said.getAddress}
      </Button>
    )
  }
  const address = `hello@${ready.name}`
  return (
    <Stack isTight>
      <Row>
        <Mono>{address}</Mono>
        <CopyButton text={address} label={said.copyAddress} />
      </Row>
      <Quiet isSmall>
        <span role="status">{said.waiting}</span>
      </Quiet>
    </Stack>
  )
}
