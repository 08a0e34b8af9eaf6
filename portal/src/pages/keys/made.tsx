import { Button } from '../../kit/button.tsx'
import { Code } from '../../kit/code.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Row, Stack, Strong } from '../../kit/text.tsx'
import { useSession } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import type { NewKey } from './data.ts'

const said = words.keys.made

/** Shows the secret of a key, this once. Only its own button closes it. */
export function MadeKey({ made, onClose }: { made: NewKey | undefined; onClose: () => void }) {
  const { installation } = useSession()
  return (
    <Dialog
      title={said.title}
      description={said.sentence}
      isOpen={made !== undefined}
      isFirm
      onClose={onClose}
      foot={
        <Row isAtEnd>
          {made !== undefined && <CopyButton text={made.secret} label={said.copy} />}
          <Button tone="main" onClick={onClose}>
            {said.done}
          </Button>
        </Row>
      }
    >
      {made !== undefined && (
        <Stack>
          <Code text={made.secret} label={said.secret} wraps copyLabel={null} />
          <Strong>{said.first}</Strong>
          <Code
            text={firstCall(made, installation)}
            label={said.first}
            copyLabel={words.kit.copyThing(words.keys.made.first)}
          />
        </Stack>
      )}
    </Dialog>
  )
}

interface Installation {
  publicUrl: string
  sandboxSender: string
  simulatorDomain: string
}

/** A call that the key may make: it sends to the simulator, or lists what it can see. */
function firstCall(
  { secret, scopes, fullAccess }: NewKey,
  { publicUrl, sandboxSender, simulatorDomain }: Installation,
): string {
  const bearer = `  -H 'Authorization: Bearer ${secret}'`
  if (!fullAccess && !scopes.includes('email:send')) return [`curl '${publicUrl}/api/v1/health' \\`, bearer].join('\n')
  const body = { from: sandboxSender, to: `delivered@${simulatorDomain}`, subject: 'Hello', text: 'It works.' }
  return [
    `curl '${publicUrl}/api/v1/email/send' \\`,
    `${bearer} \\`,
    String.raw`  -H 'Content-Type: application/json' \ `.trimEnd(),
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n')
}
