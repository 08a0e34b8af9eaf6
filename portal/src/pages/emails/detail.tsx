import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Action } from '../../kit/actions.ts'
import { useSearch } from '../../kit/address.ts'
import { Status, stateWord } from '../../kit/badge.tsx'
import { Card } from '../../kit/card.tsx'
import { copyText } from '../../kit/copy-button.tsx'
import { DetailPage } from '../../kit/detail-page.tsx'
import { useSpokenChange } from '../../kit/page.tsx'
import { toast, toastProblem } from '../../kit/toast.tsx'
import { useLive } from '../../shell/live.ts'
import { useParameter } from '../../shell/parameters.ts'
import { asCurl } from '../../shell/requests.ts'
import { useProject, useSession, type Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { Content } from './content.tsx'
import { emailQuery, isFinal, sendCallOf, subjectOf, useKnownSubject, useRetry, type Email } from './data.ts'
import { CancelEmail, Reschedule } from './dialogs.tsx'
import { FactsOf } from './facts.tsx'
import { Happened, OnlyOne } from './happened.tsx'
import { Recipients } from './recipients.tsx'
import { emailSearch } from './search.ts'
import { SendAgain } from './send-again.tsx'

const said = words.emails

/** One email: who got it, what happened, what it says. */
export function Page() {
  const project = useProject()
  const id = useParameter('emailId')
  const query = useQuery(emailQuery(project.id, id))
  useLive(query.data && `email:${id}`, ['GET /emails/:id'])
  const [{ recipient }] = useSearch(emailSearch)
  const knownTitle = useKnownSubject(id)
  const [open, setOpen] = useState<'again' | 'cancel' | 'reschedule'>()
  const actions = useActions(project, setOpen)
  const close = (): void => setOpen(undefined)
  useSpokenChange(id, query.data && stateWord(query.data.status))
  return (
    <>
      <DetailPage
        path={[{ label: said.title, to: to.emails(project.id) }]}
        id={id}
        query={query}
        title={subjectOf}
        knownTitle={knownTitle}
        status={({ status }) => <Status state={status} />}
        note={(email) => doneOf(email)}
        actions={actions}
        aside={(email) => (
          <>
            <Card title={said.happened.title} tools={email.recipients.length > 1 && <OnlyOne email={email} />}>
              <Happened email={email} project={project.id} recipient={recipient} />
            </Card>
            <Card title={said.facts.title}>
              <FactsOf email={email} project={project} />
            </Card>
          </>
        )}
      >
        {(email) => (
          <>
            <Card title={said.recipients.title} isFlush>
              <Recipients email={email} project={project} />
            </Card>
            <Card isFlush>
              <Content email={email} project={project.id} recipient={recipient} />
            </Card>
          </>
        )}
      </DetailPage>
      {query.data !== undefined && (
        <>
          <SendAgain
            key={`again-${open}`}
            email={query.data}
            project={project.id}
            isOpen={open === 'again'}
            onClose={close}
          />
          <CancelEmail email={query.data} project={project.id} isOpen={open === 'cancel'} onClose={close} />
          <Reschedule
            key={`move-${open}`}
            email={query.data}
            project={project.id}
            isOpen={open === 'reschedule'}
            onClose={close}
          />
        </>
      )}
    </>
  )
}

const doneOf = ({ recipients }: Email): string =>
  said.recipients.done(recipients.filter(({ status }) => isFinal(status)).length, recipients.length)

function useActions(project: Project, open: (dialog: 'again' | 'cancel' | 'reschedule') => void) {
  const retry = useRetry()
  const { publicUrl } = useSession().installation
  const mayChange = project.can('email:send')
  const maySend = mayChange && project.maySend
  return (email: Email): readonly Action[] => {
    const isWaiting = email.recipients.some(({ status }) => status === 'deferred')
    const tryNow = async (): Promise<void> => {
      try {
        await retry.run({ project: project.id, params: { id: email.id } })
        toast({ text: said.actions.triedNow })
      } catch (error) {
        toastProblem(error)
      }
    }
    const copyCall = async (): Promise<void> => {
      const body = JSON.stringify(sendCallOf(email), undefined, 2)
      await copyText(asCurl({ method: 'POST', path: '/api/v1/email/send', project: project.id, body }, publicUrl))
      toast({ text: said.actions.copied })
    }
    const isScheduled = mayChange && email.status === 'scheduled'
    // The API does not send mail of broadcasts and automations again: contacts agreed to get it once.
    const isMailing = email.broadcastId !== null || email.automationRunId !== null
    const hasContent = !email.contentHidden && email.contentPurgedAt === null
    return [
      ...(isScheduled
        ? [
            { label: said.actions.reschedule, icon: 'clock' as const, run: () => open('reschedule') },
            { label: said.actions.cancel, icon: 'forbidden' as const, tone: 'bad' as const, run: () => open('cancel') },
          ]
        : []),
      ...(maySend && hasContent && !isMailing && email.status !== 'scheduled'
        ? [{ label: said.actions.sendAgain, icon: 'send' as const, run: () => open('again') }]
        : []),
      ...(maySend && isWaiting
        ? [
            {
              label: said.actions.tryNow,
              icon: 'refresh' as const,
              tone: 'main' as const,
              isBusy: retry.isBusy,
              run: tryNow,
            },
          ]
        : []),
      ...(hasContent
        ? [{ label: said.actions.copyCurl, icon: 'terminal' as const, place: 'menu' as const, run: copyCall }]
        : []),
    ]
  }
}
