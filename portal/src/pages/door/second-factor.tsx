import { useEffect } from 'react'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { Stack } from '../../kit/text.tsx'
import { words } from '../../words/words.ts'

export type Factor = 'totp' | 'recoveryCode'

/** The fields of a form that may have to ask for one. */
export const noCodes = { totp: '', recoveryCode: '' }

/** The code as the server wants it; apps show it with a space in the middle. */
export const codeIn = (values: Readonly<Record<Factor, string>>, factor: Factor | undefined): Partial<typeof noCodes> =>
  factor === undefined ? {} : { [factor]: values[factor].replaceAll(/\s/g, '') }

interface SecondFactorProps {
  factor: Factor
  field: (name: Factor) => {
    name: string
    value: string
    problem: string | undefined
    onChange: (value: string) => void
  }
  onChange: (factor: Factor) => void
}

/** It comes with the focus, because it is asked for when everything else was right. */
export function SecondFactor({ factor, field, onChange }: SecondFactorProps) {
  const { fields, signIn } = words.door
  const isCode = factor === 'totp'
  useEffect(() => document.getElementsByName(factor)[0]?.focus(), [factor])
  return (
    <Stack isTight>
      <TextField
        key={factor}
        {...field(factor)}
        label={isCode ? fields.code : fields.recoveryCode}
        hint={isCode ? fields.codeHint : fields.recoveryCodeHint}
        autoComplete={isCode ? 'one-time-code' : 'off'}
        inputMode={isCode ? 'numeric' : 'text'}
        isMono
      />
      <Button tone="quiet" isSmall onClick={() => onChange(isCode ? 'recoveryCode' : 'totp')}>
        {isCode ? signIn.useRecoveryCode : signIn.useCode}
      </Button>
    </Stack>
  )
}
