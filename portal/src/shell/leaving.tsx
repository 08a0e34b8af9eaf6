import { useBlocker } from '@tanstack/react-router'
import { Confirm } from '../kit/dialog.tsx'
import { words } from '../words/words.ts'
import { isSignedOut } from './signed-out.ts'

/** Asks once before a page with unsaved text is left: `<AskBeforeLeaving hasUnsaved={form.hasUnsaved} />`. */
export function AskBeforeLeaving({ hasUnsaved }: { hasUnsaved: () => boolean }) {
  const { status, proceed, reset } = useBlocker({
    // Filters, tabs and the like are the same page.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && hasUnsaved(),
    enableBeforeUnload: () => hasUnsaved() && !isSignedOut(),
    withResolver: true,
  })
  return (
    <Confirm
      isOpen={status === 'blocked'}
      title={words.kit.unsaved.title}
      action={words.kit.unsaved.leave}
      tone="main"
      onClose={() => reset?.()}
      onConfirm={() => proceed?.()}
    >
      {words.kit.unsaved.sentence}
    </Confirm>
  )
}
