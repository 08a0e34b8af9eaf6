import { useId, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import { words } from '../words/words.ts'
import { describedBy, Field, type FieldProps } from './field.tsx'
import styles from './field.module.css'
import { Icon } from './icons.tsx'
import { Foreign, Hidden } from './text.tsx'
import { visibly } from './visible.ts'

export interface AddressFieldProps extends FieldProps<readonly string[]> {
  placeholder?: string
  /** Addresses that are added by a click. */
  suggestions?: readonly { address: string; label: string }[]
}

/**
 * Addresses as chips. Enter, a comma, a semicolon and leaving the field take what was typed; a pasted list becomes one chip
 * each; Backspace in the empty field takes the last one back into it. Whether an address is one is decided by the API.
 */
export function AddressField({
  label,
  name,
  value,
  onChange,
  problem,
  hint,
  isOptional = false,
  ...props
}: AddressFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [said, setSaid] = useState('')
  const { placeholder, suggestions = [], isDisabled = false } = props

  const add = (text: string): void => {
    const fresh = addressesIn(text).filter((address) => !value.includes(address))
    setTyped('')
    if (fresh.length === 0) return
    onChange([...value, ...fresh])
    setSaid(words.kit.addresses.added(fresh.join(', ')))
  }
  const remove = (address: string): void => {
    onChange(value.filter((other) => other !== address))
    setSaid(words.kit.addresses.removed(address))
    input.current?.focus()
  }
  const press = (event: KeyboardEvent): void => {
    const last = value.at(-1)
    if (
      (event.key === 'Enter' && !event.metaKey && !event.ctrlKey && typed.trim() !== '') ||
      isSeparator(event.key, typed)
    ) {
      event.preventDefault()
      add(typed)
    } else if (event.key === 'Backspace' && typed === '' && last !== undefined) {
      event.preventDefault()
      remove(last)
      setTyped(last)
    }
  }
  const paste = (event: ClipboardEvent): void => {
    const pasted = event.clipboardData.getData('text')
    if (!/[,;\n]/.test(pasted)) return
    event.preventDefault()
    add(`${typed}${pasted}`)
  }

  return (
    <Field id={id} label={label} problem={problem} hint={hint} isOptional={isOptional}>
      <div className={styles.chips} data-invalid={problem !== undefined}>
        {value.map((address) => (
          <span className={styles.chip} key={address}>
            <Foreign text={address} />
            <button type="button" aria-label={visibly(words.kit.remove(address))} onClick={() => remove(address)}>
              <Icon name="close" size={12} />
            </button>
          </span>
        ))}
        <input
          {...describedBy(id, problem, hint)}
          ref={input}
          name={name}
          type="text"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={value.length === 0 ? placeholder : undefined}
          value={typed}
          disabled={isDisabled}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={press}
          onPaste={paste}
          onBlur={() => add(typed)}
        />
      </div>
      {suggestions.length > 0 && (
        <div className={styles.suggestions}>
          {suggestions.map(({ address, label: text }) => (
            <button
              type="button"
              key={address}
              className={styles.suggestion}
              data-tip={address}
              onClick={() => add(address)}
            >
              <Icon name="plus" size={12} />
              {text}
            </button>
          ))}
        </div>
      )}
      <Hidden>
        <span role="status">{visibly(said)}</span>
      </Hidden>
    </Field>
  )
}

/** A comma within quotes, as in `"Rose, Ann" <ann@example.org>`, belongs to the name. */
const isSeparator = (key: string, typed: string): boolean =>
  (key === ',' || key === ';') && typed.split('"').length % 2 === 1

function addressesIn(text: string): string[] {
  const parts: string[] = []
  let part = ''
  let isQuoted = false
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted
    if (!isQuoted && /[,;\n]/.test(character)) {
      parts.push(part)
      part = ''
    } else part += character
  }
  return [...new Set([...parts, part].map((one) => one.trim()).filter((one) => one !== ''))]
}
