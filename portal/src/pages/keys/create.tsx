import type { Scope } from '@posthouse/sdk'
import { Checkboxes, Radio, Select } from '../../kit/choice.tsx'
import { DateTime } from '../../kit/date-time.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/field.tsx'
import { Form, useForm } from '../../kit/form.tsx'
import { useSession, type Project } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import {
  expiries,
  limitsOf,
  presetsWithin,
  useCreateKey,
  type KeyWish,
  type Limits,
  type NewKey,
  type Preset,
} from './data.ts'
import { grantInWords } from './scopes.ts'

const said = words.keys.create

export interface CreateKeyProps {
  project: Project
  isOpen: boolean
  onClose: () => void
  onMade: (key: NewKey) => void
}

/** Asks what a new key is for. */
export function CreateKey({ project, isOpen, onClose, onMade }: CreateKeyProps) {
  const limits = limitsOf(useSession(), project)
  const create = useCreateKey(project.id, limits)
  const offered = presetsWithin(limits)
  const start: KeyWish = {
    name: '',
    preset: offered[0] ?? 'some',
    scopes: [],
    contentAccess: 'own',
    expiry: 'never',
    expiresAt: '',
  }
  const form = useForm({
    start: { ...start },
    send: create,
    onDone: (key) => {
      onClose()
      onMade(key)
    },
  })
  const { preset, expiry, scopes } = form.values
  return (
    <Dialog title={said.title} isOpen={isOpen} onClose={onClose}>
      <Form
        form={form}
        submit={said.create}
        isWide
        reason={preset === 'some' && scopes.length === 0 ? said.noScopes : undefined}
      >
        <TextField
          label={said.name}
          {...form.field('name')}
          hint={said.nameHint}
          autoComplete="off"
          maxLength={200}
          hasFirstFocus
        />
        <Radio label={said.preset} {...form.field('preset')} options={offered.map((one) => optionFor(one, limits))} />
        {preset === 'some' && (
          <>
            <Checkboxes
              label={said.scopes}
              {...form.field('scopes')}
              options={limits.scopes.map((scope: Scope) => ({ value: scope, label: scope, hint: grantInWords(scope) }))}
            />
            <Select
              label={said.content}
              {...form.field('contentAccess')}
              options={(['all', 'own', 'none'] as const).map((value) => ({ value, label: said.contents[value] }))}
            />
          </>
        )}
        <Select
          label={said.expiry}
          {...form.field('expiry')}
          options={expiries.map((value) => ({ value, label: said.expiries[value] }))}
        />
        {expiry === 'date' && <DateTime label={said.expiresAt} {...form.field('expiresAt')} />}
      </Form>
    </Dialog>
  )
}

function optionFor(preset: Preset, { mayGiveAll }: Limits) {
  const { label, hint } = said.presets[preset === 'all' && !mayGiveAll ? 'allOfMine' : preset]
  return { value: preset, label, hint }
}
