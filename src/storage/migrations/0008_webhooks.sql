-- Webhooks: who wants to be told of events, what is still to be told, and what came of it.

create table webhook_endpoints (
  id              uuid primary key,
  project_id      uuid not null references projects,
  url             text not null,
  enabled         boolean not null default true,
  -- The kinds of events that it is told of.
  events          text[] not null,
  description     text,
  -- A sentence for the owner; only when it was us who disabled it.
  disabled_reason text,
  -- Since when there was nothing but failures, and when the last one was.
  failing_since   timestamptz,
  failed_at       timestamptz,
  created_at      timestamptz not null default clock_now(),
  check (not enabled or disabled_reason is null)
);
create index on webhook_endpoints (project_id, id);

-- What an endpoint's requests are signed with: the newest, and for a while those that it replaced.
create table webhook_secrets (
  id          uuid primary key,
  endpoint_id uuid not null references webhook_endpoints on delete cascade,
  -- Sealed to this row; see storage/secrets.ts.
  secret      bytea not null,
  -- Null for the newest.
  valid_until timestamptz
);
create index on webhook_secrets (endpoint_id, id);

-- The outbox: a row for each event and each endpoint that is to be told of it, written in the transaction of the event
-- itself (events/publish.ts), and gone when the endpoint has been told. No foreign keys, for the reason that emails
-- have none.
create table webhook_deliveries (
  id          uuid primary key,
  project_id  uuid not null,
  endpoint_id uuid not null,
  event_id    uuid not null,
  kind        text not null,
  message_id  uuid not null,
  -- What is posted, to the byte the same every time.
  body        text not null,
  created_at  timestamptz not null default clock_now(),
  -- All attempts so far, the oldest of very many left out; how many there were; and how many since it was last asked for.
  log         jsonb not null default '[]',
  attempts    smallint not null default 0,
  tries       smallint not null default 0
);
select make_dispatch_queue('webhook_deliveries');
alter table webhook_deliveries add check (state in ('waiting', 'ready', 'claimed', 'in_flight'));
create index on webhook_deliveries (endpoint_id, message_id);
create index on webhook_deliveries (endpoint_id, id);

-- What is over, for as long as it is kept. By month, as events are.
create table webhook_log (
  id          uuid not null,
  project_id  uuid not null,
  endpoint_id uuid not null,
  event_id    uuid not null,
  kind        text not null,
  message_id  uuid not null,
  body        text not null,
  created_at  timestamptz not null,
  log         jsonb not null,
  attempts    smallint not null,
  state       text not null check (state in ('delivered', 'failed', 'dropped')),
  ended_at    timestamptz not null default clock_now()
) partition by range (created_at);
create index on webhook_log (endpoint_id, id);
create index on webhook_log (endpoint_id, id) where state <> 'delivered';
create table webhook_log_other partition of webhook_log default;

-- Each delivery in the words of the API, wherever its row is.
create view webhook_delivery_states as
  select id, project_id, endpoint_id, event_id, kind, body, created_at, log, attempts, 'pending' as state,
         due_at as next_attempt_at, null::timestamptz as ended_at
    from webhook_deliveries
   union all
  select id, project_id, endpoint_id, event_id, kind, body, created_at, log, attempts, state, null, ended_at
    from webhook_log;

-- One function for all tables that are kept by month, instead of one for events.
drop function keep_event_months(integer);

-- Makes the partitions of a table for this month and the two after it, and drops those that hold nothing but what is
-- older than so many days. `moment` is the column that it is partitioned by.
create function keep_months(whole text, moment text, days integer) returns void language plpgsql as $$
declare
  first timestamptz;
  next  timestamptz;
  month text;
  taken boolean;
begin
  for ahead in 0..2 loop
    first := (date_trunc('month', clock_now() at time zone 'UTC') + make_interval(months => ahead)) at time zone 'UTC';
    next  := (date_trunc('month', clock_now() at time zone 'UTC') + make_interval(months => ahead + 1)) at time zone 'UTC';
    month := whole || to_char(first at time zone 'UTC', '"_"YYYY_MM');
    continue when to_regclass(month) is not null;
    execute format('select exists (select from %I where %I >= %L and %I < %L)', whole || '_other', moment, first, moment, next)
       into taken;
    -- One that would have to take rows out of the last table is not worth the lock.
    continue when taken;
    execute format('create table %I partition of %I for values from (%L) to (%L)', month, whole, first, next);
  end loop;
  for month in
    select relname
      from pg_inherits
      join pg_class on pg_class.oid = inhrelid
     where inhparent = whole::regclass
       and relname ~ ('^' || whole || '_\d{4}_\d{2}$')
       and to_date(right(relname, 7), 'YYYY_MM') + interval '1 month' + make_interval(days => days)
           < clock_now() at time zone 'UTC'
  loop
    execute format('drop table %I', month);
  end loop;
  execute format('delete from %I where %I < clock_now() - make_interval(days => %s)', whole || '_other', moment, days);
end $$;
select keep_months('webhook_log', 'created_at', 30);
