import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { StateTone } from '../../kit/badge.tsx'
import { Button, LinkButton } from '../../kit/button.tsx'
import { Notice } from '../../kit/notice.tsx'
import { problemOf } from '../../kit/problem.ts'
import { Row, Stack } from '../../kit/text.tsx'
import { useLive } from '../../shell/live.ts'
import { useAddressExists, useMaySee } from '../../shell/pages.ts'
import type { Project } from '../../shell/session.ts'
import { to } from '../../shell/to.ts'
import { words } from '../../words/words.ts'
import { notices, type NoticeOfApi } from './data.ts'

const REFRESH_MS = 30_000
/** More than these are shown on request: the page is about other things too. */
const SHOWN_AT_FIRST = 3

const tones: Readonly<Record<NoticeOfApi['severity'], StateTone>> = { problem: 'bad', warning: 'warn', hint: 'none' }

/** What people should look at, the worst first. There is nothing here while nothing is the matter. */
export function Notices({ project }: { project: Project }) {
  const query = useQuery({
    ...notices(project.id),
    refetchInterval: REFRESH_MS,
    enabled: project.sees('stats:read'),
  })
  useLive(project.sees('stats:read') ? 'notices' : undefined, ['GET /notices'])
  const [areAllShown, showAll] = useState(false)
  const text = words.overview.notices
  if (query.data === undefined) {
    const isMissed = query.isError && problemOf(query.error).status !== 403
    return isMissed ? <Notice tone="none">{text.failed}</Notice> : null
  }
  const all = query.data.data
  const shown = areAllShown ? all : all.slice(0, SHOWN_AT_FIRST)
  const more = all.length - shown.length
  if (all.length === 0) return null
  return (
    <section aria-label={text.title}>
      <Stack>
        {shown.map((notice) => (
          <NoticeLine key={notice.kind} notice={notice} />
        ))}
        {more > 0 && (
          <Row>
            <Button tone="quiet" isSmall onClick={() => showAll(true)}>
              {text.more(more)}
            </Button>
          </Row>
        )}
      </Stack>
    </section>
  )
}

function NoticeLine({ notice: { kind, severity, title, sentence, link } }: { notice: NoticeOfApi }) {
  const leads = useLeads()
  return (
    <Notice
      tone={tones[severity]}
      title={words.overview.notices.sentence(title)}
      actions={
        leads(link) && (
          <LinkButton isSmall to={link}>
            {words.overview.notices.actions[kind]}
          </LinkButton>
        )
      }
    >
      {sentence}
    </Notice>
  )
}

/** Whether there is such a page, and the person may see it. */
function useLeads(): (link: string) => boolean {
  const exists = useAddressExists()
  const maySee = useMaySee()
  return (link) => exists(link) && (link !== to.installation() || maySee('administrators'))
}
