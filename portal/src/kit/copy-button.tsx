import { useEffect, useState } from 'react'
import { words } from '../words/words.ts'
import { Button, IconButton } from './button.tsx'
import { Hidden } from './text.tsx'

export interface CopyButtonProps {
  text: string
  /** The name of the button, such as "Copy value". */
  label: string
  /** An icon alone, where the words beside it say what is copied. */
  isIcon?: boolean
  tone?: 'plain' | 'main'
}

/** Copies a text, and says so in its place for two seconds. */
export function CopyButton({ text, label, isIcon = false, tone = 'plain' }: CopyButtonProps) {
  const { isCopied, copy } = useCopy()
  const icon = isCopied ? 'check' : 'copy'
  return (
    <>
      {isIcon ? (
        <IconButton label={label} icon={icon} isSmall onClick={() => copy(text)} />
      ) : (
        <Button icon={icon} tone={tone} onClick={() => copy(text)}>
          {label}
        </Button>
      )}
      <Hidden>
        <span role="status">{isCopied ? words.kit.copied : ''}</span>
      </Hidden>
    </>
  )
}

function useCopy(): { isCopied: boolean; copy: (text: string) => void } {
  const [copiedAt, setCopiedAt] = useState(0)
  useEffect(() => {
    if (copiedAt === 0) return
    const timer = setTimeout(() => setCopiedAt(0), 2_000)
    return () => clearTimeout(timer)
  }, [copiedAt])
  return { isCopied: copiedAt !== 0, copy: (text) => void copyText(text).then(() => setCopiedAt(Date.now())) }
}

/** The clipboard's own interface exists on https and localhost alone; elsewhere the text is selected and copied. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  area.setAttribute('readonly', '')
  const focused = document.activeElement
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
}
