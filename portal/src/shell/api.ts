import {
  ApiError,
  createClient,
  NetworkError,
  type CallOptions,
  type Client,
  type JsonOperation,
  type PagedOperation,
  type Reply,
} from '@posthouse/sdk'
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type QueryClient,
  type QueryKey,
} from '@tanstack/react-query'
import type { RowsQuery } from '../kit/list.tsx'
import { problemOf } from '../kit/problem.ts'
import { words } from '../words/words.ts'
import { confirmPerson } from './confirmation.ts'
import { noteAnswer } from './connection.ts'
import { watchingFetch } from './requests.ts'
import { leaveForSignIn } from './signed-out.ts'

const client: Client = createClient({ fetch: watchingFetch })
/** A stream is for all tabs: it is no call of the page that happens to make it. */
const streams: Client = createClient()

type Options<O extends JsonOperation> = CallOptions<O>

/** Lists load so many rows at a time. */
const ROWS_AT_A_TIME = 50

/**
 * Makes a call. Where the API wants the person to confirm that it is them, it asks, and then makes the call again. Whoever
 * is signed out is led to the way in, and comes back afterwards.
 */
export const call: Client['call'] = (...parts) => answered(() => client.call(...parts))

/** Fetches a file, with progress. `save` then gives it to the person. */
export const download: Client['download'] = (...parts) => answered(() => client.download(...parts))

/** Events as they come. Whoever is signed out is led to the way in, as with any call. */
export const stream: Client['stream'] = (...parts) => answered(() => streams.stream(...parts))

async function answered<T>(attempt: () => Promise<T>, isAgain = false): Promise<T> {
  try {
    const answer = await attempt()
    noteAnswer(true)
    return answer
  } catch (error) {
    noteAnswer(!(error instanceof NetworkError))
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'unauthorized') {
      if (!isAgain && (await isSignedIn())) return answered(attempt, true)
      // The page is about to go; until then nothing on it learns of the refusal.
      return leaveForSignIn()
    }
    if (problemOf(error).code !== 'confirmation_required') throw error
    if (await confirmPerson(waysIn(error))) return answered(attempt)
    throw new Declined()
  }
}

/**
 * A confirmation replaces the token of the session. A call that was under way with the old one is refused, in this tab or
 * another, although nobody was signed out.
 */
const isSignedIn = (): Promise<boolean> =>
  client.call('GET /session').then(
    () => true,
    (error: unknown) => problemOf(error).status !== 401,
  )

/** The person would rather not confirm; nothing was done. */
class Declined extends Error {
  override readonly name = 'Declined'
  readonly status = 403
  readonly code = 'confirmation_required'

  constructor() {
    super(words.shell.confirm.declined)
  }
}

const waysIn = ({ extra }: ApiError): readonly string[] => (Array.isArray(extra['ways']) ? extra['ways'] : [])

/** The key of what an operation answered; its first word is the operation, so that one can be named as stale. */
const keyOf = (operation: string, options: unknown): QueryKey => [operation, options ?? {}]

/** What a page wants to know: `useQuery(ask('GET /emails/:id', { project, params: { id } }))`. */
export const ask = <O extends JsonOperation>(operation: O, options: Options<O>) =>
  queryOptions<Reply<O>>({
    queryKey: keyOf(operation, options),
    queryFn: ({ signal }) => callWith(operation, { ...options, signal }),
  })

/** A list that is asked for page by page: what `ListPage` takes as its rows. */
export const askPages = <O extends PagedOperation>(operation: O, options: Options<O>): RowsQuery<RowOf<O>> =>
  infiniteQueryOptions({
    // What is asked for page by page has another form than one answer, and therefore another key.
    queryKey: [...keyOf(operation, options), 'pages'],
    queryFn: async ({ signal, pageParam }) => {
      const query = { limit: ROWS_AT_A_TIME, ...(options.query as object | undefined), cursor: pageParam }
      return (await callWith(operation, { ...options, query, signal } as Options<O>)) as PageOf<O>
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  }) as unknown as RowsQuery<RowOf<O>>

type PageOf<O extends PagedOperation> = { data: RowOf<O>[]; hasMore: boolean; nextCursor: string | null }

/** One row of a list. */
export type RowOf<O extends PagedOperation> = Reply<O> extends { data: readonly (infer Row)[] } ? Row : never

/** Rows that some list has loaded already: what a page can show of a thing before its own answer is there. */
export function useKnownRows<O extends PagedOperation>(operation: O): readonly RowOf<O>[] {
  const known = useQueryClient().getQueriesData<{ pages?: PageOf<O>[]; data?: RowOf<O>[] }>({ queryKey: [operation] })
  return known.flatMap(([, answer]) => answer?.pages?.flatMap(({ data }) => data) ?? answer?.data ?? [])
}

/** The options were checked where they were written; here they are only passed on. */
const callWith = <O extends JsonOperation>(operation: O, options: Options<O>): Promise<Reply<O>> =>
  (call as (operation: O, options: Options<O>) => Promise<Reply<O>>)(operation, options)

export interface Change<Input, Answer> {
  /** Throws what the API refuses. */
  run: (input: Input) => Promise<Answer>
  isBusy: boolean
  error: unknown
}

/**
 * Something that changes what the API holds: `useChange('POST /emails/:id/cancel', ['GET /emails', 'GET /emails/:id'])`,
 * then `change.run({ project, params: { id } })`. What the named operations answered is asked for anew.
 */
export function useChange<O extends JsonOperation>(
  operation: O,
  stale: readonly JsonOperation[],
): Change<Options<O>, Reply<O>> {
  const queries = useQueryClient()
  const mutation = useMutation<Reply<O>, Error, Options<O>>({
    mutationFn: (options) => callWith(operation, options),
    onSuccess: () => refresh(queries, stale),
  })
  return { run: mutation.mutateAsync, isBusy: mutation.isPending, error: mutation.error }
}

/** Asks anew for what these operations answered, as far as a page shows it. */
export function refresh(queries: QueryClient, operations: readonly JsonOperation[]): void {
  for (const operation of operations) void queries.invalidateQueries({ queryKey: [operation] })
}

/** Gives a file to the person. */
export function save(blob: Blob, filename: string): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = filename
  link.click()
  // The browser has its own hold on the bytes by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
