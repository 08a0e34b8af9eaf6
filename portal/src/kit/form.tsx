import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react'
import { words } from '../words/words.ts'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import styles from './field.module.css'
import { forgetKept, keep, readKept } from './kept.ts'
import { Notice } from './notice.tsx'
import { mayPass, problemOf, sentenceAtField, sentenceOf } from './problem.ts'
import { newKey } from './random.ts'
import { Refusal } from './refusal.tsx'

type Values = Readonly<Record<string, unknown>>

export interface FormOptions<V extends Values, Answer> {
  start: V
  /** Throws what the API refuses. The key is the same for all attempts of one form, so that nothing is sent twice. */
  send: (values: V, idempotencyKey: string) => Promise<Answer>
  onDone?: (answer: Answer) => unknown
  /** Fields by the paths that the API names, where they differ: `{ '/quotas/emailsPerDay': 'daily' }`. */
  paths?: Readonly<Record<string, keyof V & string>>
  /**
   * The field that a refusal is about when it names none: the password of a form that asks for nothing else. What may
   * pass by itself, such as an outage, is not about it.
   */
  wholeAt?: keyof V & string
  /** Keeps unsent text in the tab under this name, and offers it again. Never for secrets. */
  keepAs?: string
}

export interface Form<V extends Values> {
  values: V
  set: (change: Partial<V>) => void
  /** What a field component needs: spread it into the field. */
  field: <Name extends keyof V & string>(name: Name) => FieldState<V[Name], Name>
  submit: () => Promise<void>
  reset: (values?: V) => void
  isBusy: boolean
  isChanged: boolean
  /** The same, as of now and not as of the last time that it was shown. */
  hasUnsaved: () => boolean
  /** Whether it began with what was left unsent before. */
  isRestored: boolean
  /** What was thrown last; undefined again with the next attempt. */
  error: unknown
  /** Sentences that belong to no field. */
  sentences: readonly string[]
}

interface FieldState<Value, Name extends string> {
  name: Name
  value: Value
  onChange: (value: Value) => void
  problem: string | undefined
}

/** The state of a form. A refusal keeps everything that was typed and puts each sentence at the field that it is about. */
export function useForm<V extends Values, Answer>({
  start,
  send,
  onDone,
  paths = {},
  wholeAt,
  keepAs,
}: FormOptions<V, Answer>): Form<V> {
  const [kept] = useState(() => readKept(keepAs, start))
  const [isRestored, setRestored] = useState(kept !== undefined)
  const [values, setValues] = useState(kept ?? start)
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set())
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const [isChanged, setChangedState] = useState(kept !== undefined)
  const unsaved = useRef(kept !== undefined)
  const setChanged = (isNow: boolean): void => {
    unsaved.current = isNow
    setChangedState(isNow)
  }
  const key = useRef(newKey())
  const { atFields, sentences } = placed(error, shown, paths, wholeAt)

  const set = (change: Partial<V>): void => {
    setValues((before) => ({ ...before, ...change }))
    setChanged(true)
    keep(keepAs, { ...values, ...change })
  }
  const submit = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      const answer = await send(values, key.current)
      key.current = newKey()
      setChanged(false)
      forgetKept(keepAs)
      await onDone?.(answer)
    } catch (thrown) {
      setError(thrown)
    } finally {
      setBusy(false)
    }
  }
  return {
    values,
    set,
    submit,
    isBusy,
    isChanged,
    hasUnsaved: () => unsaved.current,
    isRestored,
    error,
    sentences,
    reset: (next = start) => {
      setValues(next)
      setError(undefined)
      setChanged(false)
      setRestored(false)
      forgetKept(keepAs)
      key.current = newKey()
    },
    field: (name) => {
      // A sentence is put at a field only if the form shows that field; the others stand above the form.
      if (!shown.has(name))
        queueMicrotask(() => setShown((before) => (before.has(name) ? before : new Set(before).add(name))))
      return {
        name,
        value: values[name],
        onChange: (value) => set({ [name]: value } as unknown as Partial<V>),
        problem: atFields.get(name),
      }
    },
  }
}

function placed(
  error: unknown,
  shown: ReadonlySet<string>,
  paths: Readonly<Record<string, string>>,
  wholeAt: string | undefined,
) {
  const atFields = new Map<string, string>()
  if (error === undefined) return { atFields, sentences: [] }
  const { details, error: sentence } = problemOf(error)
  if (details.length === 0 && wholeAt !== undefined && !mayPass(error)) {
    return { atFields: atFields.set(wholeAt, sentence), sentences: [] }
  }
  const elsewhere: string[] = []
  for (const detail of details) {
    const name = paths[detail.path] ?? fieldFor(detail.path, shown)
    if (name === undefined) elsewhere.push(sentenceOf(detail))
    else atFields.set(name, [atFields.get(name), sentenceAtField(detail)].filter(Boolean).join(' '))
  }
  return { atFields, sentences: details.length > 0 && elsewhere.length === 0 ? [sentence] : [sentence, ...elsewhere] }
}

/** `/to/0` is about the field `to`; `/quotas/daily` about `quotas/daily`, or about `quotas`. */
function fieldFor(path: string, names: ReadonlySet<string>): string | undefined {
  const steps = path.split('/').slice(1)
  for (let length = steps.length; length > 0; length--) {
    const name = steps.slice(0, length).join('/')
    if (names.has(name)) return name
  }
  return undefined
}

export interface FormProps<V extends Values> {
  form: Form<V>
  /** The word on the button. */
  submit: string
  tone?: 'main' | 'bad'
  /** More buttons behind it. */
  buttons?: ReactNode
  /** As wide as its place; else no wider than is good to read. */
  isWide?: boolean
  /** Why it cannot be sent now. */
  reason?: string | undefined
  children: ReactNode
}

/** Fields and their button. Enter sends it, and ⌘Enter from within a text of many lines; the focus goes to the first problem. */
export function Form<V extends Values>({
  form,
  submit,
  tone = 'main',
  buttons,
  isWide = false,
  reason,
  children,
}: FormProps<V>) {
  const element = useRef<HTMLFormElement>(null)
  const refusal = useRef<HTMLDivElement>(null)
  const { error } = form
  useEffect(() => {
    if (error === undefined) return
    const target = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? refusal.current
    target?.focus()
    // The sentence above the form is shown as well, where both fit.
    const distance = (target?.getBoundingClientRect().bottom ?? 0) - (refusal.current?.getBoundingClientRect().top ?? 0)
    if (distance < innerHeight / 2) refusal.current?.scrollIntoView({ block: 'nearest' })
  }, [error])
  const send = (event?: FormEvent): void => {
    event?.preventDefault()
    event?.stopPropagation()
    if (reason === undefined) void form.submit()
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    send()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      ref={element}
      className={classes(styles.form, isWide && styles.wide)}
      noValidate
      onSubmit={send}
      onKeyDown={press}
    >
      {form.isRestored && (
        <Notice
          tone="none"
          actions={
            <Button isSmall onClick={() => form.reset()}>
              {words.kit.unsaved.anew}
            </Button>
          }
        >
          {words.kit.unsaved.restored}
        </Notice>
      )}
      {error !== undefined && form.sentences.length > 0 && (
        <Refusal ref={refusal} error={error} sentences={form.sentences} />
      )}
      {children}
      <div className={styles.buttons}>
        <Button type="submit" tone={tone} isBusy={form.isBusy} reason={reason}>
          {submit}
        </Button>
        {buttons}
      </div>
    </form>
  )
}
