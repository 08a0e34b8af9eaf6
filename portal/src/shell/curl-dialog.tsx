import { usePath } from '../kit/address.ts'
import { Code } from '../kit/code.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Quiet } from '../kit/text.tsx'
import { words } from '../words/words.ts'
import { asCurl, useRequests } from './requests.ts'
import { useSession } from './session.ts'

/** The calls that the page made, as commands. There is no other way into the API, so they are all there is. */
export function CurlDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const requests = useRequests(usePath())
  const { installation } = useSession()
  const text = requests.map((request) => asCurl(request, installation.publicUrl)).join('\n\n')
  return (
    <Dialog
      size="large"
      title={words.shell.curl.title}
      description={words.shell.curl.sentence}
      isOpen={isOpen}
      onClose={onClose}
      foot={text !== '' && <CopyButton text={text} label={words.shell.curl.copyAll} />}
    >
      {text === '' ? (
        <Quiet>{words.shell.curl.none}</Quiet>
      ) : (
        <Code text={text} label={words.shell.curl.label} copyLabel={null} />
      )}
    </Dialog>
  )
}
