import { useId, type ReactNode } from 'react'
import { classes } from './classes.ts'
import { Below, describedBy, Field, type FieldProps } from './field.tsx'
import styles from './field.module.css'
import { Icon } from './icons.tsx'
import { Foreign } from './text.tsx'
import { visibly } from './visible.ts'

export interface Option<Value extends string> {
  value: Value
  label: string
  /** What choosing it means. A list that opens cannot show it, radio buttons and checkboxes do. */
  hint?: ReactNode
}

export interface SelectProps<Value extends string> extends FieldProps<Value> {
  options: readonly Option<Value>[]
}

/** One of a list that opens; the list is the platform's. */
export function Select<Value extends string>({ label, value, onChange, problem, hint, ...props }: SelectProps<Value>) {
  const id = useId()
  const { options, isOptional = false, isDisabled = false, name } = props
  return (
    <Field id={id} label={label} problem={problem} hint={hint} isOptional={isOptional}>
      <div className={styles.selectBox}>
        <select
          {...describedBy(id, problem, hint)}
          name={name}
          className={classes(styles.control, styles.select)}
          value={value}
          disabled={isDisabled}
          onChange={({ target }) => {
            const chosen = options.find((option) => option.value === target.value)
            if (chosen !== undefined) onChange(chosen.value)
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {visibly(option.label)}
            </option>
          ))}
        </select>
        <Icon name="down" />
      </div>
    </Field>
  )
}

/** Yes or no, in force when the form is sent. */
export function Checkbox({ label, name, value, onChange, problem, hint, isDisabled = false }: FieldProps<boolean>) {
  const id = useId()
  return (
    <div className={styles.check}>
      <input
        {...describedBy(id, problem, hint)}
        type="checkbox"
        name={name}
        checked={value}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>
        <Foreign text={label} />
      </label>
      <Below id={id} problem={problem} hint={hint} />
    </div>
  )
}

/** On or off, in force at once. */
export function Switch({ label, name, value, onChange, problem, hint, isDisabled = false }: FieldProps<boolean>) {
  const id = useId()
  return (
    <div className={styles.check}>
      <input
        {...describedBy(id, problem, hint)}
        type="checkbox"
        role="switch"
        className={styles.switch}
        name={name}
        checked={value}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>
        <Foreign text={label} />
      </label>
      <Below id={id} problem={problem} hint={hint} />
    </div>
  )
}

export interface RadioProps<Value extends string> extends FieldProps<Value> {
  options: readonly Option<Value>[]
  /** Side by side, for short words without hints. */
  isInRow?: boolean
}

/** One of a few, all of them visible. */
export function Radio<Value extends string>({
  label,
  name,
  value,
  onChange,
  problem,
  hint,
  ...props
}: RadioProps<Value>) {
  const id = useId()
  const { options, isInRow = false, isDisabled = false } = props
  return (
    <fieldset className={styles.field} {...describedBy(id, problem, hint)} disabled={isDisabled}>
      <legend className={styles.label}>{label}</legend>
      <div className={isInRow ? styles.inRow : styles.group}>
        {options.map((option) => (
          <div className={styles.check} key={option.value}>
            <input
              {...describedBy(`${id}-${option.value}`, undefined, option.hint)}
              type="radio"
              name={`${id}-${name}`}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <label htmlFor={`${id}-${option.value}`}>
              <Foreign text={option.label} />
            </label>
            <Below id={`${id}-${option.value}`} problem={undefined} hint={option.hint} />
          </div>
        ))}
      </div>
      <Below id={id} problem={problem} hint={hint} />
    </fieldset>
  )
}

export interface CheckboxesProps<Value extends string> extends FieldProps<readonly Value[]> {
  options: readonly Option<Value>[]
}

/** Any number of a list, all of them visible. */
export function Checkboxes<Value extends string>({ label, name, value, onChange, ...props }: CheckboxesProps<Value>) {
  const id = useId()
  const { options, problem, hint, isDisabled = false } = props
  return (
    <fieldset className={styles.field} {...describedBy(id, problem, hint)} disabled={isDisabled}>
      <legend className={styles.label}>{label}</legend>
      <div className={styles.group}>
        {options.map((option) => (
          <Checkbox
            key={option.value}
            label={option.label}
            hint={option.hint}
            name={name}
            value={value.includes(option.value)}
            onChange={(isOn) =>
              onChange(isOn ? [...value, option.value] : value.filter((other) => other !== option.value))
            }
          />
        ))}
      </div>
      <Below id={id} problem={problem} hint={hint} />
    </fieldset>
  )
}
