import { useEffect, useRef, type ReactNode } from 'react'
import { Stack } from './text.tsx'

/** What takes the place of a form in its dialog: the focus goes to its first button, which copies it. */
export function ShownOnce({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('button')?.focus(), [])
  return (
    <div ref={box}>
      <Stack>{children}</Stack>
    </div>
  )
}
