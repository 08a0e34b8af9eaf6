import type { RowsQuery } from '../list.tsx'
import { List } from '../list.tsx'
import { Status } from '../badge.tsx'
import { Button } from '../button.tsx'
import { Card } from '../card.tsx'
import { Stack } from '../text.tsx'
import { Time } from '../time.tsx'
import { gallerySearch } from './search.ts'

interface Row {
  id: string
  to: string
  subject: string
  status: string
  attempts: number
  createdAt: string
}

const all: readonly Row[] = Array.from({ length: 120 }, (_, place) => ({
  id: `em_${place}`,
  to: `person-${place}@example.org`,
  subject:
    place % 7 === 0
      ? 'A subject that is so long that it needs more than one line on a narrow screen'
      : `Order ${4700 + place}`,
  status: place % 5 === 0 ? 'bounced' : 'delivered',
  attempts: (place % 4) + 1,
  createdAt: new Date(Date.UTC(2026, 10, 17, 10, 0) - place * 97_000).toISOString(),
}))

const PAGE = 8

/** Pages as the API would give them. */
const pagesOf = (name: string, rows: readonly Row[]): RowsQuery<Row> => ({
  queryKey: ['gallery', name],
  queryFn: ({ pageParam }) => {
    const from = Number(pageParam ?? 0)
    const hasMore = from + PAGE < rows.length
    return Promise.resolve({
      data: rows.slice(from, from + PAGE),
      hasMore,
      nextCursor: hasMore ? String(from + PAGE) : null,
    })
  },
  initialPageParam: undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
})

const failing = (name: string, thrown: object): RowsQuery<Row> => ({
  ...pagesOf(name, []),
  queryFn: () => Promise.reject(Object.assign(new Error('Something failed on our side.'), thrown)),
  retry: false,
})

const search = { status: gallerySearch.status }

const common = {
  search,
  rowId: ({ id }: Row) => id,
  rowName: ({ to }: Row) => to,
  columns: [
    { name: 'to', title: 'To', cell: ({ to }: Row) => to },
    { name: 'subject', title: 'Subject', cell: ({ subject }: Row) => subject },
    { name: 'status', title: 'State', cell: ({ status }: Row) => <Status state={status} /> },
    { name: 'attempts', title: 'Attempts', isNumber: true, cell: ({ attempts }: Row) => attempts },
    { name: 'time', title: 'Time', isNarrow: true, cell: ({ createdAt }: Row) => <Time at={createdAt} /> },
  ],
  empty: {
    title: 'No email yet',
    sentence: 'What this project sends appears here, with what became of it.',
    icon: 'mail' as const,
    action: <Button tone="main">Send a test email</Button>,
    curl: 'curl "http://localhost:3000/api/v1/emails"',
    docs: '/docs',
  },
}

export const Lists = () => (
  <Stack>
    <Card title="A list" isFlush>
      <List
        {...common}
        label="Emails"
        rows={({ status }) =>
          pagesOf(
            `full ${status}`,
            all.filter((row) => status === undefined || status.some((one) => one === row.status)),
          )
        }
        rowTo={({ id }) => `/gallery?tab=basics#${id}`}
        find={{ in: ({ to, subject }) => `${to} ${subject}`, placeholder: 'Address or subject' }}
        filters={[
          {
            kind: 'some',
            name: 'status',
            label: 'State',
            options: [
              { value: 'delivered', label: 'Delivered' },
              { value: 'bounced', label: 'Bounced' },
            ],
          },
        ]}
        selected={[
          {
            label: 'Send again',
            run: ({ status }) =>
              status === 'bounced' ? Promise.reject(new Error('The address is suppressed.')) : Promise.resolve(),
            question: (count) => `Send ${count} again?`,
          },
        ]}
      />
    </Card>
    <Card title="Empty" isFlush>
      <List {...common} label="Nothing" rows={() => pagesOf('empty', [])} />
    </Card>
    <Card title="Loading" isFlush>
      <List
        {...common}
        label="Waiting"
        rows={() => ({ ...pagesOf('loading', []), queryFn: () => new Promise<never>(() => undefined) })}
      />
    </Card>
    <Card title="Failed" isFlush>
      <List
        {...common}
        label="Failed"
        rows={() => failing('failed', { status: 500, code: 'internal_error', requestId: 'req_1' })}
      />
    </Card>
    <Card title="Not for this role" isFlush>
      <List
        {...common}
        label="No access"
        rows={() =>
          failing('refused', { status: 403, code: 'insufficient_scope', extra: { requiredScope: 'webhooks:write' } })
        }
      />
    </Card>
  </Stack>
)
