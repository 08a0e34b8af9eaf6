import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '../../kit/format.ts'
import { Quiet, Stack } from '../../kit/text.tsx'
import { words } from '../../words/words.ts'
import { usage, type Project } from './data.ts'

/** The quotas of a project with what is used of them, once that is known. */
export function Quotas({ project: { id, quota } }: { project: Project }) {
  const { emailsPerDay, emailsPerMonth } = quota
  const isLimited = emailsPerDay !== null || emailsPerMonth !== null
  const { data } = useQuery({ ...usage(id), enabled: isLimited })
  if (!isLimited) return <Quiet>{words.projects.unlimited}</Quiet>
  return (
    <Stack isTight>
      {emailsPerDay !== null && <span>{words.projects.perDay(part(data?.emailsPerDay.used, emailsPerDay))}</span>}
      {emailsPerMonth !== null && (
        <span>{words.projects.perMonth(part(data?.emailsPerMonth.used, emailsPerMonth))}</span>
      )}
    </Stack>
  )
}

const part = (used: number | undefined, limit: number): string =>
  used === undefined ? formatNumber(limit) : words.kit.of(formatNumber(used), formatNumber(limit))
