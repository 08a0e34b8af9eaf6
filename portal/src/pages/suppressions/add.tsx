import { TextField } from '../../kit/field.tsx'
import { words } from '../../words/words.ts'
import { useSuppressionCalls } from './data.ts'
import { ManyAddresses, type ManyProps } from './many.tsx'

const said = words.suppressions.add

/** Puts one address or a pasted list of them on the list. */
export function AddAddresses(props: Pick<ManyProps, 'project' | 'isOpen' | 'onClose'>) {
  const { add } = useSuppressionCalls(props.project)
  return (
    <ManyAddresses
      {...props}
      title={said.title}
      submit={said.add}
      working={said.working}
      done={said.done}
      act={add}
      note={(field) => (
        <TextField label={said.note} {...field} hint={said.noteHint} autoComplete="off" maxLength={1_000} isOptional />
      )}
    />
  )
}
