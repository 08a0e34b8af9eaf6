import type { CallOptions, Reply } from '@posthouse/sdk'

export type SendBody = CallOptions<'POST /email/send'>['body']

export type Template = Reply<'GET /templates/:id'>

export const contentKinds = ['text', 'html', 'template'] as const

export type ContentKind = (typeof contentKinds)[number]

/** What is in the form. */
export interface Draft {
  from: string
  to: readonly string[]
  cc: readonly string[]
  bcc: readonly string[]
  subject: string
  kind: ContentKind
  text: string
  html: string
  templateId: string
  /** Variables as they were typed into the form, by the name that the template declares. */
  filled: Readonly<Record<string, string>>
  /** … or as JSON. */
  variables: string
  variablesAs: 'form' | 'json'
  attachments: readonly File[]
  sendAt: string
}

/** The JSON object that was typed; undefined for none, null for what is no object. */
export function jsonObject(text: string): Record<string, unknown> | undefined | null {
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/** `order.total` and `order.number` become one object `order`. Fields that stay empty are left out. */
export function nested(filled: Readonly<Record<string, string>>): Record<string, unknown> {
  const whole: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(filled)) {
    if (value === '') continue
    const steps = name.split('.')
    const last = steps.pop() ?? name
    let inner = whole
    for (const step of steps) {
      const next = inner[step]
      inner = inner[step] = typeof next === 'object' && next !== null ? (next as Record<string, unknown>) : {}
    }
    inner[last] = value
  }
  return whole
}

/** The variables of a draft; null where its JSON is none. */
export function variablesOf(draft: Draft, template: Template | undefined): Record<string, unknown> | undefined | null {
  if (draft.kind !== 'template' || draft.variablesAs === 'json') return jsonObject(draft.variables)
  const declared = template?.variables.map(({ name }) => name) ?? []
  return nested(Object.fromEntries(Object.entries(draft.filled).filter(([name]) => declared.includes(name))))
}

/** The call that a draft stands for, without its attachments; undefined while there is nothing to send. */
export function callOf(draft: Draft, template: Template | undefined): SendBody | undefined {
  const { from, to, cc, bcc, subject, kind, sendAt } = draft
  const variables = variablesOf(draft, template)
  const hasContent = kind === 'template' ? draft.templateId !== '' : draft[kind] !== ''
  if (to.length === 0 || from.trim() === '' || variables === null || !hasContent) return undefined
  return {
    from: from.trim(),
    to: [...to],
    ...(cc.length > 0 && { cc: [...cc] }),
    ...(bcc.length > 0 && { bcc: [...bcc] }),
    ...((subject !== '' || kind !== 'template') && { subject }),
    ...(kind === 'template' ? { templateId: draft.templateId } : { [kind]: draft[kind] }),
    ...(variables !== undefined && { variables }),
    ...(sendAt !== '' && { sendAt }),
  }
}
