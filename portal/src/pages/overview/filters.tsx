import { useSearch } from '../../kit/address.ts'
import { Filters, type Filter } from '../../kit/list-filters.tsx'
import { Segments } from '../../kit/tabs.tsx'
import type { Project } from '../../shell/session.ts'
import { words } from '../../words/words.ts'
import { emailSources } from '../emails/search.ts'
import { useDomainNames } from './data.ts'
import { overviewSearch, periods, type OverviewWish, type Period } from './search.ts'

const said = words.overview

/** Of which time the numbers are, and of which mail. */
export function OverviewFilters({ project }: { project: Project }) {
  const [wish, change] = useSearch(overviewSearch)
  const options = periods.map((value) => ({ value, label: said.period[value] }))
  const isOwn = wish.from !== undefined || wish.to !== undefined
  return (
    <>
      <Segments<Period | 'own'>
        label={said.period.label}
        options={options}
        value={isOwn ? 'own' : (wish.period ?? '24h')}
        onChange={(value) =>
          change({ period: value === '24h' || value === 'own' ? undefined : value, from: undefined, to: undefined })
        }
      />
      <Filters<typeof overviewSearch> filters={useFilters(project, wish)} found={wish} onChange={change} />
    </>
  )
}

function useFilters(project: Project, { domain }: OverviewWish): readonly Filter<keyof typeof overviewSearch>[] {
  const { filters } = said
  const domains = [...useDomainNames(project)].map(([value, label]) => ({ value, label }))
  const sources = emailSources.map((value) => ({ value, label: words.emails.sources[value] }))
  return [
    { kind: 'time', name: 'from', label: filters.from },
    { kind: 'time', name: 'to', label: filters.to },
    ...(domains.length > 0 || domain !== undefined
      ? [{ kind: 'one', name: 'domain', label: filters.domain, options: domains } as const]
      : []),
    { kind: 'one', name: 'source', label: filters.source, options: sources },
  ]
}
