import { useState } from 'react'
import { Button, LinkButton } from '../../kit/button.tsx'
import { Card } from '../../kit/card.tsx'
import { useGo } from '../../kit/link.tsx'
import { newKey } from '../../kit/random.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { Steps, type Step } from '../../kit/timeline.tsx'
import { toastProblem } from '../../kit/toast.tsx'
import { usePageExists } from '../../shell/pages.ts'
import { mayAdminister, useSession, type Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { useFirstSteps, usePreferences, useSendEmail } from './data.ts'

const HIDDEN = 'firstStepsHidden'

/** What a newcomer does first. Each step ticks itself off; the card goes when all are done, or when it is hidden. */
export function FirstSteps({ project }: { project: Project }) {
  const { person } = useSession()
  const preferences = usePreferences()
  const test = useTestEmail(project)
  const steps = useSteps(project, test)
  const isKnown = steps.every(({ isDone }) => isDone !== undefined)
  const isOver = steps.every(({ isDone }) => isDone)
  if (person.preferences[HIDDEN] === true || !isKnown || isOver) return null
  const hide = (): void => {
    preferences.run({ body: { preferences: { ...person.preferences, [HIDDEN]: true } } }).catch(toastProblem)
  }
  return (
    <Card
      title={words.overview.firstSteps.title}
      tools={
        <Button tone="quiet" isSmall isBusy={preferences.isBusy} onClick={hide}>
          {words.overview.firstSteps.hide}
        </Button>
      }
    >
      {test.error !== undefined && <Refusal error={test.error} />}
      <Steps
        label={words.overview.firstSteps.title}
        steps={steps.map((step) => ({ ...step, isDone: step.isDone === true }))}
      />
    </Card>
  )
}

interface TestEmail {
  send: () => Promise<void>
  isBusy: boolean
  error: unknown
}

/** From the sandbox to the simulator, and on to the page that shows it arriving. */
function useTestEmail({ id }: Project): TestEmail {
  const { installation } = useSession()
  const { run, isBusy } = useSendEmail()
  const go = useGo()
  const [idempotencyKey] = useState(newKey)
  const [error, setError] = useState<unknown>()
  const send = async (): Promise<void> => {
    setError(undefined)
    try {
      const email = await run({
        project: id,
        idempotencyKey,
        body: {
          from: installation.sandboxSender,
          to: `delivered@${installation.simulatorDomain}`,
          subject: words.overview.firstSteps.testSubject,
          text: words.overview.firstSteps.testText,
        },
      })
      if ('id' in email) go(to.email(id, email.id))
    } catch (thrown) {
      setError(thrown)
    }
  }
  return { send, isBusy, error }
}

type OpenStep = Omit<Step, 'isDone'> & { isDone: boolean | undefined }

function useSteps(project: Project, test: TestEmail): readonly OpenStep[] {
  const session = useSession()
  const exists = usePageExists()
  const { hasEmail, hasKey, hasWebhook, hasInvited } = useFirstSteps(project)
  const text = words.overview.firstSteps
  const steps: (OpenStep | false)[] = [
    project.can('email:send') &&
      project.maySend && {
        name: 'test',
        title: text.test,
        hint: text.testHint,
        isDone: hasEmail,
        action: (
          <Button tone="main" icon="send" isBusy={test.isBusy} onClick={() => void test.send()}>
            {text.test}
          </Button>
        ),
      },
    project.can('api-keys:write') &&
      exists('/p/$projectId/keys') && {
        name: 'key',
        title: text.key,
        hint: text.keyHint,
        isDone: hasKey,
        action: <LinkButton to={to.keys(project.id)}>{text.keyAction}</LinkButton>,
      },
    project.can('webhooks:write') &&
      exists('/p/$projectId/webhooks') && {
        name: 'webhook',
        title: text.webhook,
        hint: text.webhookHint,
        isDone: hasWebhook,
        action: <LinkButton to={to.webhooks(project.id)}>{text.webhookAction}</LinkButton>,
      },
    mayAdminister(session) &&
      exists('/settings/people') && {
        name: 'invite',
        title: text.invite,
        hint: text.inviteHint,
        isDone: hasInvited,
        action: <LinkButton to={to.people()}>{text.inviteAction}</LinkButton>,
      },
  ]
  return steps.filter((step) => step !== false)
}
