import { Button } from '../../kit/button.tsx'
import { Code } from '../../kit/code.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Facts } from '../../kit/facts.tsx'
import { ShownOnce } from '../../kit/shown-once.tsx'
import { Row } from '../../kit/text.tsx'
import { Time } from '../../kit/time.tsx'
import { words } from '../../words/words.ts'
import type { RecoveryLink } from './data.ts'

interface HandedLinkProps {
  /** Whom to give it to. */
  sentence: string
  label: string
  link: string
  expiresAt: string
  onDone: () => void
}

/** A link to hand over. Nobody can see it again afterwards, so only its own button closes it. */
export const HandedLink = ({ sentence, label, link, expiresAt, onDone }: HandedLinkProps) => (
  <ShownOnce>
    <p>{sentence}</p>
    <Code text={link} label={label} copyLabel={null} wraps />
    <Row>
      <CopyButton text={link} label={words.people.link.copy} />
    </Row>
    <Facts facts={[{ name: words.people.link.until, value: <Time at={expiresAt} form="short" /> }]} />
    <Row isAtEnd>
      <Button tone="main" onClick={onDone}>
        {words.people.link.done}
      </Button>
    </Row>
  </ShownOnce>
)

export interface MadeRecovery extends RecoveryLink {
  name: string
}

/** The link by which somebody who cannot sign in gets back in. */
export const RecoveryDialog = ({ made, onClose }: { made: MadeRecovery | undefined; onClose: () => void }) => (
  <Dialog title={words.people.recovery.title(made?.name ?? '')} isOpen={made !== undefined} onClose={onClose} isFirm>
    {made !== undefined && (
      <HandedLink
        sentence={words.people.recovery.once(made.name)}
        label={words.people.recovery.link}
        link={made.link}
        expiresAt={made.expiresAt}
        onDone={onClose}
      />
    )}
  </Dialog>
)
