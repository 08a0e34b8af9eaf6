import { useId, useState, type ComponentProps, type ReactNode } from 'react'
import { words } from '../words/words.ts'
import { IconButton } from './button.tsx'
import { classes } from './classes.ts'
import styles from './field.module.css'
import { Icon } from './icons.tsx'
import { Foreign } from './text.tsx'

/** What every field has. `useForm().field('name')` gives name, value, onChange and problem. */
export interface FieldProps<Value> {
  label: string
  name: string
  value: Value
  onChange: (value: Value) => void
  /** The sentence of the API about this field. */
  problem?: string | undefined
  hint?: ReactNode
  /** Marks a field that may stay empty; the others are asked for. */
  isOptional?: boolean
  isDisabled?: boolean
}

interface FrameProps extends Pick<FieldProps<unknown>, 'label' | 'problem' | 'hint' | 'isOptional'> {
  id: string
  children: ReactNode
}

/** Label, control, hint and problem, one below the other. The control describes itself by `describedBy`. */
export const Field = ({ id, label, problem, hint, isOptional = false, children }: FrameProps) => (
  <div className={styles.field}>
    <div className={styles.top}>
      <label className={styles.label} htmlFor={id}>
        <Foreign text={label} />
      </label>
      {isOptional && <span className={styles.optional}>{words.kit.optional}</span>}
    </div>
    {children}
    <Below id={id} problem={problem} hint={hint} />
  </div>
)

export const Below = ({ id, problem, hint }: Pick<FrameProps, 'id' | 'problem' | 'hint'>) => (
  <>
    {problem !== undefined && (
      <p className={styles.problem} id={`${id}-problem`}>
        <Icon name="problem" />
        <Foreign text={problem} />
      </p>
    )}
    {hint !== undefined && (
      <div className={styles.hint} id={`${id}-hint`}>
        {hint}
      </div>
    )}
  </>
)

/** The attributes by which a control names its hint and its problem. */
export const describedBy = (id: string, problem: string | undefined, hint: ReactNode) => ({
  id,
  'aria-invalid': problem === undefined ? undefined : true,
  'aria-describedby':
    classes(problem !== undefined && `${id}-problem`, hint !== undefined && `${id}-hint`) || undefined,
})

export interface TextFieldProps extends FieldProps<string> {
  type?: 'text' | 'email' | 'url' | 'search' | 'tel'
  placeholder?: string | undefined
  autoComplete?: string
  inputMode?: ComponentProps<'input'>['inputMode']
  isMono?: boolean
  isReadOnly?: boolean
  /** The field that a dialog or page begins with. */
  hasFirstFocus?: boolean
  maxLength?: number
  /** Known values that are offered while typing. */
  suggestions?: readonly string[]
}

export function TextField({ label, value, onChange, problem, hint, isOptional = false, ...props }: TextFieldProps) {
  const id = useId()
  const {
    type = 'text',
    isMono = false,
    isReadOnly = false,
    hasFirstFocus = false,
    isDisabled = false,
    ...rest
  } = props
  const { suggestions, ...attributes } = rest
  return (
    <Field id={id} label={label} problem={problem} hint={hint} isOptional={isOptional}>
      <input
        {...attributes}
        {...describedBy(id, problem, hint)}
        type={type}
        className={classes(styles.control, isMono && styles.mono)}
        value={value}
        readOnly={isReadOnly}
        disabled={isDisabled}
        data-first-focus={hasFirstFocus || undefined}
        list={suggestions === undefined ? undefined : `${id}-list`}
        spellCheck={type === 'text' && !isMono ? undefined : false}
        onChange={(event) => onChange(event.target.value)}
      />
      {suggestions !== undefined && (
        <datalist id={`${id}-list`}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </Field>
  )
}

export interface TextAreaProps extends FieldProps<string> {
  rows?: number
  isMono?: boolean
  isReadOnly?: boolean
  placeholder?: string
  maxLength?: number
}

export function TextArea({ label, value, onChange, problem, hint, isOptional = false, ...props }: TextAreaProps) {
  const id = useId()
  const { rows = 6, isMono = false, isReadOnly = false, isDisabled = false, ...rest } = props
  return (
    <Field id={id} label={label} problem={problem} hint={hint} isOptional={isOptional}>
      <textarea
        {...rest}
        {...describedBy(id, problem, hint)}
        className={classes(styles.control, styles.area, isMono && styles.mono)}
        rows={rows}
        value={value}
        readOnly={isReadOnly}
        disabled={isDisabled}
        spellCheck={isMono ? false : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}

export interface PasswordFieldProps extends FieldProps<string> {
  autoComplete: 'current-password' | 'new-password'
  hasFirstFocus?: boolean
}

/** A password that can be looked at while it is typed. */
export function PasswordField({
  label,
  value,
  onChange,
  problem,
  hint,
  isOptional = false,
  ...props
}: PasswordFieldProps) {
  const id = useId()
  const [isShown, setShown] = useState(false)
  const { hasFirstFocus = false, isDisabled = false, ...rest } = props
  return (
    <Field id={id} label={label} problem={problem} hint={hint} isOptional={isOptional}>
      <div className={styles.withButton}>
        <input
          {...rest}
          {...describedBy(id, problem, hint)}
          type={isShown ? 'text' : 'password'}
          className={styles.control}
          value={value}
          disabled={isDisabled}
          data-first-focus={hasFirstFocus || undefined}
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
        <IconButton
          label={isShown ? words.kit.hide : words.kit.reveal}
          icon="eye"
          isSmall
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        />
      </div>
    </Field>
  )
}

export interface NumberFieldProps extends FieldProps<number | undefined> {
  min?: number
  max?: number
  step?: number
}

/** Undefined while it is empty. */
export function NumberField({ label, value, onChange, problem, hint, isOptional = false, ...props }: NumberFieldProps) {
  const id = useId()
  const { isDisabled = false, ...rest } = props
  return (
    <Field id={id} label={label} problem={problem} hint={hint} isOptional={isOptional}>
      <input
        {...rest}
        {...describedBy(id, problem, hint)}
        type="number"
        className={classes(styles.control, styles.narrow)}
        value={value ?? ''}
        disabled={isDisabled}
        onChange={({ target }) => onChange(Number.isNaN(target.valueAsNumber) ? undefined : target.valueAsNumber)}
      />
    </Field>
  )
}
