import { useEffect } from 'react'
import { loadWidgets, useWidgets } from './late.ts'
import type { ConfirmProps } from './widgets/confirm.tsx'
import type { DialogProps } from './widgets/dialog.tsx'
import type { PaletteProps } from './widgets/palette.tsx'

export type { ConfirmProps, DialogProps, PaletteProps }
export type { PaletteEntry, PaletteGroup } from './widgets/palette.tsx'

/** A question or a form above the page. The focus goes in when it opens, and back to where it was when it closes. */
export function Dialog(props: DialogProps) {
  const widgets = useWidgetsFor(props.isOpen)
  return widgets === undefined ? null : <widgets.Dialog {...props} />
}

/** Asks before something is destroyed or sent, and waits until it is done. */
export function Confirm(props: ConfirmProps) {
  const widgets = useWidgetsFor(props.isOpen)
  return widgets === undefined ? null : <widgets.Confirm {...props} />
}

export function Palette(props: PaletteProps) {
  const widgets = useWidgetsFor(props.isOpen)
  return widgets === undefined ? null : <widgets.Palette {...props} />
}

function useWidgetsFor(isOpen: boolean) {
  useEffect(() => {
    if (isOpen) void loadWidgets()
  }, [isOpen])
  return useWidgets()
}
