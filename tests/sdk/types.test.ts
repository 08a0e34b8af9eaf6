/** What the types of the client allow and refuse; `tsc` decides, in `tests/static.test.ts`. */
import { expectTypeOf, test } from 'vitest'
import type {
  AcceptedEmail,
  Client,
  Download,
  DryRun,
  Email,
  EmailPage,
  FileOperation,
  PagedOperation,
  Session,
} from '../../packages/sdk/src/index.ts'
import { createClient } from '../../packages/sdk/src/index.ts'

/** Never called: only its types count. */
export function calls({ call, download, pages }: Client) {
  return {
    read: () => call('GET /emails/:id', { params: { id: 'em_1' }, project: 'prj_1' }),
    list: () => call('GET /emails'),
    filtered: (status: 'bounced' | undefined) => call('GET /emails', { query: { status, limit: 50 } }),
    send: () => call('POST /email/send', { body: { from: 'a@b.c', to: ['d@e.f'] }, idempotencyKey: 'once' }),
    paged: () => pages('GET /emails', { query: { limit: 10 } }),
    file: () => download('GET /audiences/:id/contacts/export', { params: { id: 'aud_1' }, onProgress: () => {} }),
    session: () => call('GET /session'),

    // @ts-expect-error The path has a parameter.
    withoutParameters: () => call('GET /emails/:id'),
    // @ts-expect-error Its name is another one.
    withOtherParameters: () => call('GET /emails/:id', { params: { email: 'em_1' } }),
    // @ts-expect-error There is no such operation.
    unknown: () => call('GET /letters'),
    // @ts-expect-error A query has known fields.
    withOtherQuery: () => call('GET /emails', { query: { colour: 'red' } }),
    // @ts-expect-error A field has known words.
    withOtherWord: () => call('GET /emails', { query: { status: 'lost' } }),
    // @ts-expect-error The body lacks its recipients.
    withoutRecipients: () => call('POST /email/send', { body: { from: 'a@b.c' } }),
    // @ts-expect-error Reading takes no body.
    withBody: () => call('GET /emails', { body: {} }),
    // @ts-expect-error A file is downloaded.
    calledFile: () => call('GET /audiences/:id/contacts/export', { params: { id: 'aud_1' } }),
    // @ts-expect-error Nothing to page through.
    onePage: () => pages('GET /projects/:id', { params: { id: 'prj_1' } }),
    // @ts-expect-error An upload says what it is.
    untyped: () => call('POST /audiences/:id/contacts/import', { params: { id: 'aud_1' }, body: 'email\n' }),
  }
}

test('answers have the types that the route table says', () => {
  type Calls = ReturnType<typeof calls>
  type Answer<K extends keyof Calls> = Awaited<ReturnType<Calls[K]>>
  expectTypeOf<Answer<'read'>>().toEqualTypeOf<Email>()
  expectTypeOf<Answer<'list'>>().toEqualTypeOf<EmailPage>()
  expectTypeOf<Answer<'send'>>().toEqualTypeOf<AcceptedEmail | DryRun>()
  expectTypeOf<Answer<'file'>>().toEqualTypeOf<Download>()
  expectTypeOf<Answer<'session'>>().toEqualTypeOf<Session>()
  expectTypeOf<Answer<'paged'>>().toExtend<AsyncIterable<EmailPage>>()
  expectTypeOf<'GET /emails'>().toExtend<PagedOperation>()
  expectTypeOf<'GET /receiving/emails/:id/raw'>().toExtend<FileOperation>()
  expectTypeOf(createClient).returns.toEqualTypeOf<Client>()
})
