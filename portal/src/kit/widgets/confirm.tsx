import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useRef, useState, type ReactNode } from 'react'
import { words } from '../../words/words.ts'
import { Button } from '../button.tsx'
import { classes } from '../classes.ts'
import { TextField } from '../field.tsx'
import { Notice } from '../notice.tsx'
import { problemOf } from '../problem.ts'
import { Foreign } from '../text.tsx'
import { firstField } from './dialog.tsx'
import styles from './floating.module.css'

export interface ConfirmProps {
  /** A question, such as "Revoke the key Web shop?". */
  title: string
  /** What goes with it, in numbers. */
  children: ReactNode
  /** The verb on the button. */
  action: string
  tone?: 'main' | 'bad'
  isOpen: boolean
  onClose: () => void
  /** Done before the dialog closes; what it throws is shown in the dialog. */
  onConfirm: () => unknown
  /** A name that has to be typed first, for what takes much with it. */
  typed?: string
}

export function Confirm({ title, children, action, tone = 'bad', isOpen, onClose, onConfirm, typed }: ConfirmProps) {
  const popup = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const close = (): void => {
    setText('')
    setRefused(undefined)
    onClose()
  }
  const confirm = async (): Promise<void> => {
    setBusy(true)
    try {
      await onConfirm()
      close()
    } catch (error) {
      setRefused(problemOf(error).error)
    } finally {
      setBusy(false)
    }
  }
  const isReady = typed === undefined || text.trim() === typed
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && close()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.veil} />
        <AlertDialog.Viewport className={styles.viewport}>
          <AlertDialog.Popup
            ref={popup}
            className={classes(styles.dialog)}
            initialFocus={() => firstField(popup.current) ?? true}
          >
            <div className={styles.head}>
              <AlertDialog.Title className={styles.title}>
                <Foreign text={title} />
              </AlertDialog.Title>
            </div>
            <form
              className={styles.body}
              onSubmit={(event) => {
                event.preventDefault()
                event.stopPropagation()
                if (isReady && !isBusy) void confirm()
              }}
            >
              <AlertDialog.Description render={<div />}>{children}</AlertDialog.Description>
              {typed !== undefined && (
                <TextField
                  label={words.kit.confirm.type(typed)}
                  name="typed"
                  value={text}
                  onChange={setText}
                  autoComplete="off"
                  hasFirstFocus
                />
              )}
              {refused !== undefined && (
                <Notice tone="bad" role="alert">
                  {refused}
                </Notice>
              )}
              <div className={styles.foot}>
                <AlertDialog.Close render={<Button>{words.kit.cancel}</Button>} />
                <Button
                  type="submit"
                  tone={tone}
                  isBusy={isBusy}
                  reason={isReady ? undefined : words.kit.confirm.type(typed)}
                >
                  {action}
                </Button>
              </div>
            </form>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
