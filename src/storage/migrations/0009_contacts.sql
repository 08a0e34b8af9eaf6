-- Audiences, the people in them, the consent they gave, and the tags they carry.
--
-- Addresses are compared byte by byte (collate "C"): that is quicker, and lets an ordinary index find a prefix.

create table audiences (
  id          uuid primary key,
  project_id  uuid not null references projects,
  name        text not null,
  description text,
  created_at  timestamptz not null default clock_now(),
  -- From then on nobody sees it; a job removes its contacts in pieces, and then this row.
  deleted_at  timestamptz
);
create index on audiences (project_id, id) where deleted_at is null;

-- A person in an audience. No foreign keys: whoever writes here holds the row of the audience (see `hold` in the
-- audiences' store), and a look at it for every row of an import would cost more than the row.
create table contacts (
  id              uuid not null,
  project_id      uuid not null,
  audience_id     uuid not null,
  -- In lower case, as suppressions write it.
  email           text collate "C" not null,
  first_name      text,
  last_name       text,
  subscribed      boolean not null default true,
  properties      jsonb not null default '{}',
  created_at      timestamptz not null default clock_now(),
  updated_at      timestamptz not null default clock_now(),
  unsubscribed_at timestamptz,
  check (subscribed = (unsubscribed_at is null)),
  -- One row per address and audience, whoever races; it also finds a person's contacts in all audiences.
  primary key (project_id, email, audience_id)
);
-- Every other index is one that nothing can use by mistake. After a large import, before anybody has counted, the
-- database takes an audience for small and any index that begins with it for good, and reads a million contacts for one:
-- measured, a page took 27 seconds, and an import of a million twice its time. So this one finds and does not sort, and
-- those for lists hold a half each, which a statement has to ask for. A list of all is the halves merged.
create index contacts_by_id on contacts using hash (id);
create index contacts_subscribed on contacts (project_id, audience_id, id) where subscribed;
create index contacts_unsubscribed on contacts (project_id, audience_id, id) where not subscribed;
-- For a search by the beginning of a name, the first or the last.
create index contacts_first_name on contacts
  (project_id, audience_id, (lower(first_name || ' ' || coalesce(last_name, '')) collate "C"))
  where first_name is not null;
create index contacts_last_name on contacts (project_id, audience_id, (lower(last_name) collate "C"))
  where last_name is not null;

-- What a person said when they asked for mail: every time, for as long as the contact is there. The same evidence told
-- again (a nightly import does so) is the same row.
create table contact_consents (
  contact_id  uuid not null,
  -- SHA-256 of the evidence.
  fingerprint bytea not null,
  project_id  uuid not null,
  source      text,
  given_at    timestamptz,
  ip          text,
  user_agent  text,
  text        text,
  recorded_at timestamptz not null default clock_now(),
  primary key (contact_id, fingerprint)
);

-- How many contacts an audience has. Counting them when asked takes 60 ms and more for a million; one row with the
-- number would make every writer of an audience wait for every other one. So each connection counts in one of sixteen
-- rows, and whoever asks adds them up; a row alone may be negative. Triggers count, so no statement can forget to, and
-- at the end of each statement, so that the counter is the last thing it waits for.
create table audience_counts (
  audience_id uuid not null,
  shard       smallint not null,
  total       bigint not null,
  subscribed  bigint not null,
  primary key (audience_id, shard)
) with (fillfactor = 50);

create function count_contacts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into audience_counts as counted (audience_id, shard, total, subscribed)
    select audience_id, pg_backend_pid() % 16, count(*), count(*) filter (where added.subscribed)
      from added group by audience_id order by audience_id
    on conflict (audience_id, shard) do update
       set total = counted.total + excluded.total, subscribed = counted.subscribed + excluded.subscribed;
  elsif tg_op = 'DELETE' then
    insert into audience_counts as counted (audience_id, shard, total, subscribed)
    select audience_id, pg_backend_pid() % 16, -count(*), -count(*) filter (where removed.subscribed)
      from removed group by audience_id order by audience_id
    on conflict (audience_id, shard) do update
       set total = counted.total + excluded.total, subscribed = counted.subscribed + excluded.subscribed;
  else
    insert into audience_counts as counted (audience_id, shard, total, subscribed)
    select audience_id, pg_backend_pid() % 16, 0, sum(more)
      from (select audience_id, subscribed::int as more from added
             union all
            select audience_id, -subscribed::int from removed) as moves
     group by audience_id having sum(more) <> 0 order by audience_id
    on conflict (audience_id, shard) do update set subscribed = counted.subscribed + excluded.subscribed;
  end if;
  return null;
end $$;

create trigger counted_in after insert on contacts
  referencing new table as added for each statement execute function count_contacts();
create trigger counted_out after delete on contacts
  referencing old table as removed for each statement execute function count_contacts();
create trigger counted_again after update on contacts
  referencing new table as added old table as removed for each statement execute function count_contacts();

-- Tags are the project's. One is applied to an address, and shows on that person's contact in every audience.
create table contact_tags (
  id         uuid primary key,
  project_id uuid not null references projects,
  name       text not null,
  created_at timestamptz not null default clock_now(),
  -- As with audiences.
  deleted_at timestamptz
);
-- `VIP` and `vip` are one tag: two would be a slip that somebody's mail depends on.
create unique index contact_tags_name on contact_tags (project_id, lower(name)) where deleted_at is null;
create index on contact_tags (project_id, id) where deleted_at is null;

create table applied_tags (
  tag_id     uuid not null,
  email      text collate "C" not null,
  project_id uuid not null,
  applied_at timestamptz not null default clock_now(),
  primary key (tag_id, email)
);
create index on applied_tags (project_id, email);

create table tag_counts (
  tag_id uuid not null,
  shard  smallint not null,
  total  bigint not null,
  primary key (tag_id, shard)
) with (fillfactor = 50);

create function count_applied_tags() returns trigger language plpgsql as $$
begin
  insert into tag_counts as counted (tag_id, shard, total)
  select tag_id, pg_backend_pid() % 16, case when tg_op = 'INSERT' then count(*) else -count(*) end
    from moved group by tag_id order by tag_id
  on conflict (tag_id, shard) do update set total = counted.total + excluded.total;
  return null;
end $$;

create trigger counted_in after insert on applied_tags
  referencing new table as moved for each statement execute function count_applied_tags();
create trigger counted_out after delete on applied_tags
  referencing old table as moved for each statement execute function count_applied_tags();

-- Files of contacts that somebody sent us. The row is there once the whole file is.
create table contact_imports (
  id              uuid primary key,
  project_id      uuid not null,
  audience_id     uuid not null,
  format          text not null check (format in ('csv', 'ndjson')),
  -- queued → running → completed | failed
  status          text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
  problem         text,
  bytes           bigint not null,
  -- How far it is: the row that begins at this byte is the next. Moved in the transaction that writes the rows before.
  processed_bytes bigint not null default 0,
  processed_rows  bigint not null default 0,
  created         bigint not null default 0,
  updated         bigint not null default 0,
  refused         bigint not null default 0,
  created_at      timestamptz not null default clock_now(),
  started_at      timestamptz,
  finished_at     timestamptz,
  check ((status in ('completed', 'failed')) = (finished_at is not null)),
  check ((status = 'failed') = (problem is not null)),
  check (processed_bytes <= bytes),
  check (created + updated + refused <= processed_rows)
);
create index on contact_imports (project_id, audience_id, id);
create index on contact_imports (created_at);

-- The file, in pieces that begin at a byte. Gone when the import is over; what an upload that broke off has left is
-- swept away.
create table contact_import_pieces (
  import_id  uuid not null,
  start      bigint not null,
  bytes      bytea not null,
  created_at timestamptz not null default clock_now(),
  primary key (import_id, start)
);
-- Compressing costs more time than reading and writing the bytes once.
alter table contact_import_pieces alter column bytes set storage external;
create index on contact_import_pieces (created_at);

create table contact_import_errors (
  import_id uuid not null,
  row       bigint not null,
  email     text,
  problem   text not null,
  primary key (import_id, row)
);
create index on contact_import_errors (import_id, email) where email is not null;
