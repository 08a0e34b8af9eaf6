import { useEffect, useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { toast, toastProblem } from '../../kit/toast.tsx'
import { words } from '../../words/words.ts'
import { exportAll } from './data.ts'

const said = words.suppressions.export

export interface ExportDialogProps {
  project: string
  isOpen: boolean
  onClose: () => void
}

/** Fetches the whole list page by page, says how far it is, and gives it to the person as a file. */
export function ExportDialog({ project, isOpen, onClose }: ExportDialogProps) {
  const [count, setCount] = useState(0)
  useEffect(() => {
    if (!isOpen) return
    const stopping = new AbortController()
    exportAll(project, stopping.signal, setCount, said.file)
      .then((all) => toast({ text: said.done(all) }))
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) toastProblem(error)
      })
      .finally(() => {
        if (!stopping.signal.aborted) onClose()
      })
    return () => stopping.abort()
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isOpen])
  return (
    <Dialog
      title={said.title}
      isOpen={isOpen}
      onClose={onClose}
      size="small"
      foot={<Button onClick={onClose}>{said.stop}</Button>}
    >
      {said.working(count)}
    </Dialog>
  )
}
