import type { EventKind } from '@posthouse/sdk'
import { Checkboxes, Radio } from '../../kit/choice.tsx'
import { TextField } from '../../kit/field.tsx'
import type { Form } from '../../kit/form.tsx'
import { useSession } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { isStandard, kindsFor, meaningOf, standardKinds } from './kinds.ts'

const said = words.webhooks.add

export type EndpointWish = {
  url: string
  description: string
  which: 'standard' | 'chosen'
  events: readonly EventKind[]
}

export const wishOf = (endpoint?: {
  url: string
  description: string | null
  events: readonly EventKind[]
}): EndpointWish => ({
  url: endpoint?.url ?? '',
  description: endpoint?.description ?? '',
  which: endpoint === undefined || isStandard(endpoint.events) ? 'standard' : 'chosen',
  events: endpoint?.events ?? standardKinds,
})

export const endpointOf = ({ url, description, which, events }: EndpointWish) => ({
  url: url.trim(),
  description: description === '' ? null : description,
  events: which === 'standard' ? [...standardKinds] : [...events],
})

/** The fields of an endpoint, for adding and for changing one. */
export function EndpointFields({ form }: { form: Form<EndpointWish> }) {
  const { sms } = useSession().installation
  return (
    <>
      <TextField
        label={said.url}
        {...form.field('url')}
        type="url"
        hint={said.urlHint}
        autoComplete="off"
        hasFirstFocus
      />
      <TextField label={said.description} {...form.field('description')} autoComplete="off" isOptional />
      <Radio
        label={said.which}
        {...form.field('which')}
        options={[
          { value: 'standard', label: said.kinds.standard, hint: said.standardHint },
          { value: 'chosen', label: said.kinds.chosen },
        ]}
      />
      {form.values.which === 'chosen' && (
        <Checkboxes
          label={said.kindsTitle}
          {...form.field('events')}
          options={kindsFor(sms).map((kind) => ({ value: kind, label: kind, hint: meaningOf(kind) }))}
        />
      )}
    </>
  )
}
