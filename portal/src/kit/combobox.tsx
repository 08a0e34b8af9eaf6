import { useEffect } from 'react'
import { TextField } from './field.tsx'
import { loadWidgets, useWidgets } from './late.ts'
import type { ComboboxProps } from './widgets/combobox.tsx'

export type { ComboboxProps }

/** One of a long list, found by typing. */
export function Combobox(props: ComboboxProps) {
  const widgets = useWidgets()
  useEffect(() => void loadWidgets(), [])
  if (widgets !== undefined) return <widgets.Combobox {...props} />
  const { label, name, value, problem, hint, isOptional = false } = props
  const text = props.options.find((option) => option.value === value)?.label ?? ''
  return (
    <TextField
      label={label}
      name={name}
      value={text}
      onChange={() => undefined}
      problem={problem}
      hint={hint}
      isOptional={isOptional}
      isReadOnly
    />
  )
}
