import { TextField } from '../../kit/field.tsx'
import { words } from '../../words/words.ts'
import { useSuppressionCalls } from './data.ts'
import { ManyAddresses, type ManyProps } from './many.tsx'

const said = words.suppressions.liftMany
const one = words.suppressions.lift

/** Takes a pasted list of addresses off the list, with who confirmed it and how. */
export function LiftMany(props: Pick<ManyProps, 'project' | 'isOpen' | 'onClose'>) {
  const { lift } = useSuppressionCalls(props.project)
  return (
    <ManyAddresses
      {...props}
      title={said.title}
      description={said.sentence}
      submit={said.submit}
      working={said.working}
      done={said.done}
      noteMissing={one.whoMissing}
      act={lift}
      note={(field) => <TextField label={one.who} {...field} hint={one.whoHint} autoComplete="off" maxLength={1_000} />}
    />
  )
}
