import { Combobox as Base } from '@base-ui/react/combobox'
import { useId } from 'react'
import { words } from '../../words/words.ts'
import type { Option } from '../choice.tsx'
import { describedBy, Field, type FieldProps } from '../field.tsx'
import fieldStyles from '../field.module.css'
import { Icon } from '../icons.tsx'
import { Foreign } from '../text.tsx'
import styles from './floating.module.css'

export interface ComboboxProps extends FieldProps<string> {
  options: readonly Option<string>[]
  placeholder?: string
  /** Called while typing, for choices that come from the API; the list is then shown as it is given. */
  onType?: (text: string) => void
}

/** One of a long list, found by typing. The empty value is none. */
export function Combobox({ label, name, value, onChange, problem, hint, isOptional = false, ...props }: ComboboxProps) {
  const id = useId()
  const { options, placeholder, onType, isDisabled = false } = props
  const chosen = options.find((option) => option.value === value) ?? null
  return (
    <Field id={id} label={label} problem={problem} hint={hint} isOptional={isOptional}>
      <Base.Root
        items={options}
        value={chosen}
        disabled={isDisabled}
        onValueChange={(option) => onChange(option?.value ?? '')}
        onInputValueChange={(text) => onType?.(text)}
        filter={onType === undefined ? undefined : null}
        itemToStringLabel={(option) => option.label}
        isItemEqualToValue={(one, other) => one.value === other.value}
      >
        <div className={styles.comboBox}>
          <Base.Input
            {...describedBy(id, problem, hint)}
            name={name}
            className={fieldStyles.control}
            placeholder={placeholder}
          />
          <div className={styles.comboTools}>
            {chosen !== null && isOptional && (
              <Base.Clear className={styles.comboTool} aria-label={words.kit.combobox.clear}>
                <Icon name="close" />
              </Base.Clear>
            )}
            <Base.Trigger className={styles.comboTool} aria-label={words.kit.combobox.open}>
              <Icon name="down" />
            </Base.Trigger>
          </div>
        </div>
        <Base.Portal>
          <Base.Positioner className={styles.positioner} sideOffset={4} collisionPadding={8}>
            <Base.Popup className={styles.popup}>
              <Base.Empty className={styles.nothing}>{words.kit.combobox.nothing}</Base.Empty>
              <Base.List>
                {(option: Option<string>) => (
                  <Base.Item key={option.value} value={option} className={styles.item}>
                    <span className={styles.text}>
                      <Foreign text={option.label} />
                      {option.hint !== undefined && <span className={styles.hint}>{option.hint}</span>}
                    </span>
                    <span className={styles.mark}>
                      <Base.ItemIndicator>
                        <Icon name="check" />
                      </Base.ItemIndicator>
                    </span>
                  </Base.Item>
                )}
              </Base.List>
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </Field>
  )
}
