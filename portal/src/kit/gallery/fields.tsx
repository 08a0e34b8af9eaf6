import { AddressField } from '../address-field.tsx'
import { Card } from '../card.tsx'
import { Checkbox, Checkboxes, Radio, Select, Switch } from '../choice.tsx'
import { Combobox } from '../combobox.tsx'
import { DateTime } from '../date-time.tsx'
import { NumberField, PasswordField, TextArea, TextField } from '../field.tsx'
import { Files } from '../files.tsx'
import { Form, useForm } from '../form.tsx'
import { Columns } from '../text.tsx'

/** What the API answers to a form that it does not take. */
const refused = () =>
  Promise.reject(
    Object.assign(new Error('The request has 2 problems.'), {
      status: 400,
      code: 'validation_error',
      requestId: 'req_01k9t3v8qf0e5r7w2m4x6z8abc',
      details: [
        { path: '/name', message: 'must not be empty' },
        { path: '/elsewhere', message: 'The field elsewhere is unknown.' },
      ],
    }),
  )

const scopes = [
  { value: 'email:send', label: 'email:send', hint: 'Send email, look at it afterwards.' },
  { value: 'webhooks:write', label: 'webhooks:write', hint: 'Everything about webhook endpoints.' },
]

export function Fields() {
  const form = useForm({
    start: {
      name: '',
      password: '',
      notes: '',
      limit: 10 as number | undefined,
      to: ['ann@example.org', 'Ben <ben@example.org>'] as readonly string[],
      role: 'viewer',
      template: '',
      preset: 'send',
      scopes: ['email:send'] as readonly string[],
      isOpen: true,
      isOn: true,
      at: '2026-11-17T10:42:00.000Z',
      files: [] as readonly File[],
    },
    send: refused,
  })
  return (
    <Card title="A form that is refused">
      <Form form={form} submit="Save" isWide>
        <Columns areHalves>
          <TextField label="Name" hint="As your colleagues call it." {...form.field('name')} />
          <PasswordField label="Password" autoComplete="new-password" {...form.field('password')} />
          <TextField label="Address" isMono isReadOnly {...form.field('name')} value="http://localhost:3000" />
          <NumberField label="Limit" min={1} max={50} isOptional {...form.field('limit')} />
          <AddressField
            label="To"
            {...form.field('to')}
            suggestions={[
              { address: 'delivered@simulator.posthouse.test', label: 'delivered' },
              { address: 'bounced@simulator.posthouse.test', label: 'bounced' },
            ]}
          />
          <Select
            label="Role"
            {...form.field('role')}
            options={[
              { value: 'viewer', label: 'Viewer' },
              { value: 'developer', label: 'Developer' },
            ]}
          />
          <Combobox
            label="Template"
            isOptional
            {...form.field('template')}
            placeholder="None"
            options={['Welcome', 'Order shipped', 'Password reset'].map((label) => ({
              value: label,
              label,
              hint: 'Version 3',
            }))}
          />
          <DateTime label="When" isOptional {...form.field('at')} />
          <Radio
            label="What it may do"
            {...form.field('preset')}
            options={[
              { value: 'send', label: 'Only send', hint: 'Sends, and sees what it sent.' },
              { value: 'all', label: 'Everything in this project' },
            ]}
          />
          <Checkboxes label="Scopes" {...form.field('scopes')} options={scopes} />
          <Checkbox label="Keep the body" hint="For 30 days." {...form.field('isOpen')} />
          <Switch label="Enabled" {...form.field('isOn')} />
          <TextArea label="Notes" rows={3} {...form.field('notes')} />
          <Files label="Attachments" maxBytes={25_000_000} isOptional {...form.field('files')} />
        </Columns>
      </Form>
    </Card>
  )
}
