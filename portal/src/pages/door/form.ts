import { useEffect, useRef, useState } from 'react'
import { PasskeyProblem } from '../../kit/passkeys.ts'
import { problemOf, sentenceAtField } from '../../kit/problem.ts'
import { words } from '../../words/words.ts'

/** What is said about the whole form. */
export interface Said {
  sentence: string
  tone: 'bad' | 'info'
  code?: string | undefined
  /** When the next attempt is allowed. */
  againAt?: number | undefined
}

type Names<Values> = keyof Values & string

/** A form whose fields keep what was typed, whatever is answered. */
export function useDoorForm<Values extends Record<string, string>>(initial: Values) {
  const [values, setValues] = useState(initial)
  const [problems, setProblems] = useState<Partial<Record<Names<Values>, string>>>({})
  const [said, setSaid] = useState<Said>()
  const [busy, setBusy] = useState<string>()
  const form = useRef<HTMLFormElement>(null)

  // The focus goes to the first field about which something was said.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problems])

  const field = (name: Names<Values>) => ({
    name,
    value: values[name],
    problem: problems[name],
    onChange: (value: string) => setValues((before) => ({ ...before, [name]: value })),
  })

  /** Whether everything is there that is asked for. */
  const isFilled = (missing: Partial<Record<Names<Values>, string>>): boolean => {
    const empty = Object.entries(missing).filter(([name]) => values[name]?.trim() === '')
    setProblems(Object.fromEntries(empty) as typeof problems)
    return empty.length === 0
  }

  /** Does the work of one of the buttons. What is refused is said at its field, or above the form. */
  const attempt = async (button: string, work: () => Promise<unknown>): Promise<void> => {
    if (busy !== undefined) return
    setBusy(button)
    setSaid(undefined)
    try {
      await work()
    } catch (thrown) {
      const { atFields, ...rest } = refusalOf(thrown, Object.keys(values))
      setProblems(atFields as typeof problems)
      setSaid(Object.keys(atFields).length > 0 ? undefined : rest)
    } finally {
      setBusy(undefined)
    }
  }

  return { form, values, field, said, setSaid, setProblems, busy, isFilled, attempt }
}

function refusalOf(thrown: unknown, names: readonly string[]): Said & { atFields: Record<string, string> } {
  const { error, status, code, details } = problemOf(thrown)
  if (thrown instanceof PasskeyProblem) return { sentence: error, tone: 'info', atFields: {} }
  const known = details
    .map((detail) => [detail.path.slice(1), sentenceAtField(detail)] as const)
    .filter(([name]) => names.includes(name))
  const { retryAfter = 0 } = thrown as { retryAfter?: number }
  return {
    sentence: status === undefined ? words.door.lost : error,
    tone: 'bad',
    code,
    againAt: retryAfter > 0 ? Date.now() + retryAfter * 1_000 : undefined,
    // A refusal of a field that is not on the page is said above the form.
    atFields: known.length < details.length ? {} : Object.fromEntries(known),
  }
}
