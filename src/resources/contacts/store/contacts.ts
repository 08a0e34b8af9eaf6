import type { AudienceId, ContactId, ProjectId, TagId } from '../../../core/ids.ts'
import type { PageRequest } from '../../../core/page.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql, type Query } from '../../../storage/sql.ts'
import type { Contact, Properties, ShownContact } from '../schema.ts'

const columns = sql`
  contact.id, contact.project_id as "projectId", contact.audience_id as "audienceId", contact.email,
  contact.first_name as "firstName", contact.last_name as "lastName", contact.subscribed, contact.properties,
  contact.created_at as "createdAt", contact.updated_at as "updatedAt", contact.unsubscribed_at as "unsubscribedAt"`

const shown = sql`
  ${columns},
  array(select tag.name
          from applied_tags applied
          join contact_tags tag on tag.id = applied.tag_id and tag.deleted_at is null
         where applied.project_id = contact.project_id
           and applied.email = contact.email
         order by lower(tag.name)) as tags,
  (select json_build_object('source', source, 'at', given_at, 'ip', ip, 'userAgent', user_agent, 'text', text)
     from contact_consents
    where contact_id = contact.id
    order by recorded_at desc, given_at desc nulls last
    limit 1) as consent`

export interface Filter {
  subscribed: boolean | undefined
  email: string | undefined
  /** The beginning of the address, in lower case. */
  beginning: string | undefined
  tag: TagId | undefined
}

/**
 * What names no more contacts than this is looked up first. Left to itself the database walks the list and compares,
 * which takes a second in a large audience when there is nobody to find; but of many, a walk soon meets a page full.
 */
const FEW = 2_000

export const list = async (db: Db, project: ProjectId, audience: AudienceId, filter: Filter, request: PageRequest) => {
  const named = namedBy(project, audience, filter)
  const few = named !== undefined && (await areFew(db, named)) ? named : undefined
  return db.all(sql<ShownContact>`
    with chosen as materialized (
      select *
        from (${few ? fitting(few, filter, request) : walked(project, audience, filter, request)}) as fitting
       order by id desc
       limit ${request.limit + 1})
    select ${shown} from chosen contact order by contact.id desc`)
}

const areFew = async (db: Db, named: readonly Query<unknown>[]): Promise<boolean> => {
  const limited = named.map((query) => sql`(select from (${query}) as named limit ${FEW + 1})`)
  const { total } = await db.one(sql<{ total: number }>`
    select count(*) as total from (${limited.reduce((all, query) => sql`${all} union all ${query}`)}) as named`)
  return total <= FEW
}

/** Each part uses an index of its own; the same contact may be in several of them. */
function namedBy(
  project: ProjectId,
  audience: AudienceId,
  { email, beginning, tag }: Filter,
): Query<unknown>[] | undefined {
  const contacts = sql`
    select * from contacts where project_id = ${project} and audience_id = ${audience}`
  if (email !== undefined) return [sql`${contacts} and email = ${email}`]
  if (beginning !== undefined) return texts.map((text) => sql`${contacts} and ${beginsWith(text, beginning)}`)
  if (tag === undefined) return undefined
  return [
    sql`
      select contacts.*
        from applied_tags
        join contacts on contacts.project_id = ${project}
                     and contacts.email = applied_tags.email
                     and contacts.audience_id = ${audience}
       where tag_id = ${tag}`,
  ]
}

const texts = [
  sql`email`,
  sql`lower(first_name || ' ' || coalesce(last_name, '')) collate "C"`,
  sql`lower(last_name) collate "C"`,
]

/** Byte by byte: no text in UTF-8 goes on with a higher character than this one. */
const beginsWith = (text: Query<unknown>, beginning: string) => sql`
  ${text} >= ${beginning} and ${text} < ${`${beginning}\u{10ffff}`}`

const fitting = (named: readonly Query<unknown>[], { subscribed, tag }: Filter, request: PageRequest) => sql`
  select *
    from (${named.reduce((all, query) => sql`${all} union ${query}`)} offset 0) as contacts
   where true
     ${subscribed === undefined ? sql`` : sql`and subscribed = ${subscribed}`}
     ${olderThan(request)}
     ${tag === undefined ? sql`` : isTagged(tag)}`

/** The newest of the audience; of both halves, where either will do. */
function walked(project: ProjectId, audience: AudienceId, filter: Filter, request: PageRequest): Query<unknown> {
  const { subscribed, tag, beginning } = filter
  const begins = beginning === undefined ? [] : texts.map((text) => sql`(${beginsWith(text, beginning)})`)
  const half = (state: boolean) => sql`
    select *
      from contacts
     where project_id = ${project}
       and audience_id = ${audience}
       and ${isInState(state)}
       ${olderThan(request)}
       ${begins.length === 0 ? sql`` : sql`and (${begins.reduce((all, query) => sql`${all} or ${query}`)})`}
       ${tag === undefined ? sql`` : isTagged(tag)}
     order by id desc
     limit ${request.limit + 1}`
  return subscribed === undefined ? sql`(${half(true)}) union all (${half(false)})` : half(subscribed)
}

/** In these words: each half has an index of its own, which nothing else is found by. */
const isInState = (subscribed: boolean) => (subscribed ? sql`subscribed` : sql`not subscribed`)

const olderThan = ({ after }: PageRequest) => (after === null ? sql`` : sql`and id < ${after}::uuid`)

const isTagged = (tag: TagId) => sql`and exists (
  select from applied_tags where tag_id = ${tag} and applied_tags.email = contacts.email)`

/** The contacts in the order of their ids, from behind the last one of the page before. */
export const exportSome = (
  db: Db,
  project: ProjectId,
  audience: AudienceId,
  after: ContactId | null,
  limit: number,
) => {
  const half = (state: boolean) => sql`
    select *
      from contacts
     where project_id = ${project}
       and audience_id = ${audience}
       and ${isInState(state)}
       ${after === null ? sql`` : sql`and id > ${after}::uuid`}
     order by id
     limit ${limit}`
  return db.all(sql<ShownContact>`
    with chosen as materialized (
      select * from ((${half(true)}) union all (${half(false)})) as halves order by id limit ${limit})
    select ${shown} from chosen contact order by contact.id`)
}

/** Finds a contact by id or by address. */
export type Which = { id: ContactId } | { email: string }

export const find = (db: Db, project: ProjectId, audience: AudienceId, which: Which) =>
  db.maybeOne(sql<ShownContact>`select ${shown} from contacts contact where ${isOne(project, audience, which)}`)

/** Locks the contact: no other transaction changes it until this one ends. */
export const lock = (tx: Tx, project: ProjectId, audience: AudienceId, which: Which) =>
  tx.maybeOne(sql<Contact>`
    select ${columns} from contacts contact where ${isOne(project, audience, which)} for update`)

/** A contact is found by its id, and only compared with its project and audience: an index for those is longer. */
const isOne = (project: ProjectId, audience: AudienceId, which: Which) =>
  !('id' in which)
    ? sql`contact.project_id = ${project} and contact.audience_id = ${audience} and contact.email = ${which.email}`
    : sql`contact.project_id is not distinct from ${project} and contact.audience_id is not distinct from ${audience}
          and contact.id = ${which.id}`

/** The same as `lock`, for a caller that knows the contact and not its audience. */
export const lockById = (tx: Tx, project: ProjectId, id: ContactId) =>
  tx.maybeOne(sql<Contact>`
    select ${columns}
      from contacts contact
     where contact.project_id is not distinct from ${project}
       and contact.id = ${id}
       for update`)

/**
 * In one audience, or in all. In one order everywhere: two who want the same people would else wait for each other for
 * ever. Looked up one by one, which is what `limit 1` is for: many at once would be found by a walk through the project.
 */
export const lockAll = (tx: Tx, project: ProjectId, audience: AudienceId | 'everywhere', emails: readonly string[]) =>
  tx.all(sql<Contact>`
    select contact.*
      from (select email from unnest(${emails}::text[]) as given (email) order by email collate "C") as wanted
     cross join lateral (
       select ${columns}
         from contacts contact
        where contact.project_id = ${project}
          ${audience === 'everywhere' ? sql`` : sql`and contact.audience_id = ${audience}`}
          and contact.email = wanted.email
        order by contact.audience_id
        ${audience === 'everywhere' ? sql`` : sql`limit 1`}
          for update) as contact`)

export type NewContact = Pick<Contact, 'id' | 'email' | 'firstName' | 'lastName' | 'properties'>

/** Returns those that were created: an address that another transaction has added meanwhile is left to it. */
export const insertAll = (tx: Tx, project: ProjectId, audience: AudienceId, rows: readonly NewContact[]) =>
  tx.all(sql<{ id: ContactId; email: string }>`
    insert into contacts (id, project_id, audience_id, email, first_name, last_name, properties)
    select id, ${project}, ${audience}, email, "firstName", "lastName", properties
      from json_to_recordset(${JSON.stringify(rows)}::json)
           as given (id uuid, email text collate "C", "firstName" text, "lastName" text, properties jsonb)
     order by email
    on conflict (project_id, email, audience_id) do nothing
    returning id, email`)

/** Changes rows that are locked. `unsubscribed_at` is the first time at which this says so. */
export const writeAll = (
  tx: Tx,
  project: ProjectId,
  rows: readonly Pick<Contact, 'id' | 'firstName' | 'lastName' | 'subscribed' | 'properties'>[],
) =>
  tx.run(sql`
    update contacts
       set first_name = given."firstName",
           last_name = given."lastName",
           properties = given.properties,
           subscribed = given.subscribed,
           unsubscribed_at = case when given.subscribed then null else coalesce(unsubscribed_at, clock_now()) end,
           updated_at = clock_now()
      from json_to_recordset(${JSON.stringify(rows.map(written))}::json)
           as given (id uuid, "firstName" text, "lastName" text, subscribed boolean, properties jsonb)
     where contacts.project_id is not distinct from ${project}
       and contacts.id = given.id`)

const written = ({
  id,
  firstName,
  lastName,
  subscribed,
  properties,
}: {
  id: ContactId
  firstName: string | null
  lastName: string | null
  subscribed: boolean
  properties: Properties
}) => ({ id, firstName, lastName, subscribed, properties })

export interface NewConsent {
  contactId: ContactId
  /** The fingerprint in hexadecimal. */
  fingerprint: string
  source: string | null
  at: Date | null
  ip: string | null
  userAgent: string | null
  text: string | null
}

/** Evidence that is known already is not written again. */
export const addConsents = (tx: Tx, project: ProjectId, rows: readonly NewConsent[]) =>
  tx.run(sql`
    insert into contact_consents (contact_id, fingerprint, project_id, source, given_at, ip, user_agent, text)
    select "contactId", decode(fingerprint, 'hex'), ${project}, source, at, ip, "userAgent", text
      from json_to_recordset(${JSON.stringify(rows)}::json)
           as given ("contactId" uuid, fingerprint text, source text, at timestamptz, ip text, "userAgent" text, text text)
    on conflict do nothing`)

/** Finds the tag that a client names. */
export const findTag = (db: Db, project: ProjectId, tag: { id: TagId } | { name: string }) =>
  db.maybeOne(sql<{ id: TagId }>`
    select id
      from contact_tags
     where project_id = ${project}
       and deleted_at is null
       and ${'id' in tag ? sql`id = ${tag.id}` : sql`lower(name) = lower(${tag.name})`}`)
