import { useId } from 'react'
import { words } from '../words/words.ts'
import { classes } from './classes.ts'
import { describedBy, Field, type FieldProps } from './field.tsx'
import styles from './field.module.css'
import { useSettings } from './settings.ts'
import { momentOf, wallTime } from './zones.ts'

/** The value is a moment as `2026-11-17T10:42:00.000Z`, or empty. It is typed in the person's zone and shown in UTC, too. */
export function DateTime({
  label,
  name,
  value,
  onChange,
  problem,
  hint,
  isOptional = false,
  isDisabled = false,
}: FieldProps<string>) {
  const id = useId()
  const { timeZone } = useSettings()
  const below = (
    <>
      {words.kit.dateTime.zone(timeZone)}
      {value !== '' && ` · ${words.kit.dateTime.same(wallTime(new Date(value), 'UTC').replace('T', ' '))}`}
      {hint !== undefined && <div>{hint}</div>}
    </>
  )
  return (
    <Field id={id} label={label} problem={problem} hint={below} isOptional={isOptional}>
      <input
        {...describedBy(id, problem, below)}
        type="datetime-local"
        name={name}
        className={classes(styles.control)}
        value={value === '' ? '' : wallTime(new Date(value), timeZone)}
        disabled={isDisabled}
        onChange={({ target }) => onChange(momentOf(target.value, timeZone)?.toISOString() ?? '')}
      />
    </Field>
  )
}
