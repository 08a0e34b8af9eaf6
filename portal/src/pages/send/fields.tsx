import type { Session } from '@posthouse/sdk'
import { useState } from 'react'
import { AddressField } from '../../kit/address-field.tsx'
import { Button } from '../../kit/button.tsx'
import { Combobox } from '../../kit/combobox.tsx'
import { DateTime } from '../../kit/date-time.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { Files } from '../../kit/files.tsx'
import type { Form } from '../../kit/form.tsx'
import { problemOf, sentenceAtField } from '../../kit/problem.ts'
import { Segments } from '../../kit/tabs.tsx'
import { Quiet, Row, Stack, Strong } from '../../kit/text.tsx'
import { words } from '../../words/words.ts'
import { simulatorAddresses } from '../emails/data.ts'
import { contentKinds, jsonObject, type Draft, type Template } from './draft.ts'

const said = words.send

const MAX_ATTACHMENT_BYTES = 25 * 1024 * 1024

type DraftForm = Form<{ [Name in keyof Draft]: Draft[Name] }>

export interface FieldsProps {
  form: DraftForm
  domains: readonly string[]
  templates: readonly Template[]
  template: Template | undefined
  installation: Session['installation']
}

export function Fields({ form, domains, templates, template, installation }: FieldsProps) {
  const { values, field } = form
  const [hasCopies, setCopies] = useState(values.cc.length + values.bcc.length > 0)
  const [domain] = domains
  return (
    <>
      <TextField
        label={said.from}
        {...field('from')}
        hint={domain === undefined ? said.fromSandbox : said.fromHint(domain)}
        suggestions={[installation.sandboxSender, ...domains.map((name) => `hello@${name}`)]}
        autoComplete="off"
      />
      <AddressField
        label={said.to}
        {...field('to')}
        suggestions={simulatorAddresses(installation.simulatorDomain).map(({ outcome, address }) => ({
          address,
          label: said.simulator[outcome],
        }))}
      />
      {hasCopies ? (
        <>
          <AddressField label={said.cc} {...field('cc')} isOptional />
          <AddressField label={said.bcc} {...field('bcc')} isOptional />
        </>
      ) : (
        <Row>
          <Button tone="quiet" isSmall icon="plus" onClick={() => setCopies(true)}>
            {said.addCopies}
          </Button>
        </Row>
      )}
      <TextField
        label={said.subject}
        {...field('subject')}
        autoComplete="off"
        {...(values.kind === 'template' && { hint: said.subjectOfTemplate, isOptional: true })}
      />
      <Segments
        label={said.kind}
        options={contentKinds.map((value) => ({ value, label: said.kinds[value] }))}
        value={values.kind}
        onChange={(kind) => form.set({ kind })}
      />
      {values.kind === 'text' && <TextArea label={said.text} {...field('text')} rows={8} />}
      {values.kind === 'html' && <TextArea label={said.html} {...field('html')} rows={12} isMono />}
      {values.kind === 'template' && (
        <Combobox
          label={said.template}
          {...field('templateId')}
          options={templates.map(({ id, name, alias }) => ({ value: id, label: name, hint: alias ?? undefined }))}
          hint={templates.length === 0 ? said.noTemplates : undefined}
        />
      )}
      <Variables form={form} template={template} />
      <Files label={said.attachments} {...field('attachments')} maxBytes={MAX_ATTACHMENT_BYTES} isOptional />
      <DateTime label={said.when} {...field('sendAt')} hint={said.whenHint} isOptional />
    </>
  )
}

/** A template's variables have a form of their own; what it does not declare can be given as JSON. */
function Variables({ form, template }: { form: DraftForm; template: Template | undefined }) {
  const { values, field } = form
  const isTemplate = values.kind === 'template'
  const [isOpen, setOpen] = useState(values.variables !== '')
  if (isTemplate && template === undefined) return null
  const isForm = isTemplate && values.variablesAs === 'form'
  if (!isTemplate && !isOpen) {
    return (
      <Row>
        <Button tone="quiet" isSmall icon="plus" onClick={() => setOpen(true)}>
          {said.addVariables}
        </Button>
      </Row>
    )
  }
  return (
    <Stack>
      {isTemplate && (
        <Row>
          <Strong>{said.variables}</Strong>
          <Segments
            label={said.variablesAs}
            options={(['form', 'json'] as const).map((value) => ({ value, label: said.variablesKinds[value] }))}
            value={values.variablesAs}
            onChange={(variablesAs) => form.set({ variablesAs })}
          />
        </Row>
      )}
      {isForm ? (
        <VariablesForm form={form} template={template} />
      ) : (
        <TextArea
          label={said.variables}
          {...field('variables')}
          problem={jsonObject(values.variables) === null ? said.variablesWrong : field('variables').problem}
          hint={isTemplate ? said.variablesOfTemplate : said.variablesHint}
          rows={4}
          isMono
          isOptional
        />
      )}
    </Stack>
  )
}

function VariablesForm({ form, template }: { form: DraftForm; template: Template | undefined }) {
  const { filled } = form.values
  const problemAt = (path: string): string | undefined =>
    problemOf(form.error)
      .details.filter((detail) => detail.path === path)
      .map(sentenceAtField)[0]
  const declared = template?.variables ?? []
  if (declared.length === 0) return <Quiet isSmall>{said.noVariables}</Quiet>
  return declared.map(({ name, required, fallback }) => (
    <TextField
      key={name}
      label={name}
      name={`variables/${name}`}
      value={filled[name] ?? ''}
      onChange={(value) => form.set({ filled: { ...filled, [name]: value } })}
      problem={problemAt(`/variables/${name.replaceAll('.', '/')}`)}
      hint={fallback === null ? undefined : said.variableFallback(fallback)}
      isOptional={!required}
      autoComplete="off"
    />
  ))
}
