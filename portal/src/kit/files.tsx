import { useId, useRef, useState, type DragEvent } from 'react'
import { words } from '../words/words.ts'
import { Button, IconButton } from './button.tsx'
import { describedBy, Field, type FieldProps } from './field.tsx'
import styles from './field.module.css'
import { formatBytes } from './format.ts'
import { Foreign, Hidden, Quiet } from './text.tsx'

export interface FilesProps extends FieldProps<readonly File[]> {
  /** What all files together may have. */
  maxBytes: number
  accept?: string
}

export function Files({
  label,
  name,
  value,
  onChange,
  problem,
  hint,
  isOptional = false,
  maxBytes,
  accept,
}: FilesProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const total = value.reduce((sum, { size }) => sum + size, 0)
  const said = total > maxBytes ? words.kit.files.tooLarge(formatBytes(maxBytes)) : problem
  const add = (files: FileList | null): void => onChange([...value, ...(files ?? [])])
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    add(event.dataTransfer.files)
  }
  return (
    <Field id={id} label={label} problem={said} hint={hint} isOptional={isOptional}>
      <div
        className={styles.drop}
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Button icon="attachment" onClick={() => input.current?.click()}>
          {words.kit.files.choose}
        </Button>
        <Quiet>{words.kit.files.drop}</Quiet>
        {value.length > 0 && <Quiet isSmall>{words.kit.files.total(formatBytes(total), formatBytes(maxBytes))}</Quiet>}
        <Hidden>
          <input
            {...describedBy(id, said, hint)}
            ref={input}
            type="file"
            multiple
            name={name}
            accept={accept}
            tabIndex={-1}
            onChange={({ target }) => {
              add(target.files)
              target.value = ''
            }}
          />
        </Hidden>
      </div>
      {value.length > 0 && (
        <ul className={styles.files}>
          {value.map((file, place) => (
            <li key={`${file.name}-${place}`}>
              <Foreign text={file.name} />
              <Quiet isSmall>{formatBytes(file.size)}</Quiet>
              <IconButton
                label={words.kit.remove(file.name)}
                icon="close"
                isSmall
                onClick={() => onChange(value.filter((other) => other !== file))}
              />
            </li>
          ))}
        </ul>
      )}
    </Field>
  )
}
