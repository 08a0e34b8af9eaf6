-- Emails: what was asked for, what is still to be done about it, and what became of it.
--
-- None of these tables has a foreign key. Each would cost a locked look at the other table for every row, and they are
-- all written in one transaction by one room.

-- What a message says, once, however many people get it. Never changed, only emptied when its time is over.
create table contents (
  id               uuid primary key,
  project_id       uuid not null,
  subject          text not null,
  html             text,
  text             text,
  headers          jsonb not null default '{}',
  variables        jsonb not null default '{}',
  template_id      uuid,
  template_version integer,
  -- Of the composed body, in bytes.
  size             integer not null,
  created_at       timestamptz not null default clock_now(),
  purged_at        timestamptz,
  check ((template_id is null) = (template_version is null))
);
create index on contents (created_at) where purged_at is null;

create table content_attachments (
  id           uuid primary key,
  content_id   uuid not null,
  project_id   uuid not null,
  position     smallint not null,
  filename     text not null,
  content_type text not null,
  cid          text,
  disposition  text not null check (disposition in ('attachment', 'inline')),
  size         integer not null,
  -- Where its bytes are; see storage/blobs.ts.
  blob         text not null,
  unique (content_id, position)
);
create index on content_attachments (blob);

create table emails (
  id         uuid primary key,
  project_id uuid not null,
  content_id uuid not null,
  -- The verified domain that it was accepted for; null for the sandbox sender.
  domain_id  uuid,
  batch_id   uuid,
  -- The address in `from`, in lower case.
  sender     text not null,
  -- {from, replyTo, recipients}: each recipient with its kind, in the order of `position` elsewhere.
  addresses  jsonb not null,
  tags       jsonb not null default '{}',
  -- {metadata, tracking, inReplyTo}: kept to be shown and to be written into the message.
  options    jsonb not null default '{}',
  -- When it was asked to leave; null means at once. The later of this and `created_at` is the Date of the message.
  send_at    timestamptz,
  created_at timestamptz not null default clock_now()
);
create index on emails (project_id, id);
create index on emails (project_id, sender, id);
create index on emails using gin (tags jsonb_path_ops) where tags <> '{}';

-- One row for each recipient that is not finished; narrow, because every row is written several times and then goes.
create table deliveries (
  id         uuid primary key,
  project_id uuid not null,
  email_id   uuid not null,
  position   smallint not null,
  -- As suppressions write it.
  recipient  text not null,
  attempts   smallint not null default 0 check (attempts >= 0),
  updated_at timestamptz not null default clock_now()
);
select make_dispatch_queue('deliveries');
-- held: its project is paused.
alter table deliveries add check (state in ('waiting', 'ready', 'claimed', 'in_flight', 'held'));
create index on deliveries (project_id, email_id);
create index on deliveries (project_id, recipient);
create index on deliveries (project_id) where state = 'held';

-- One row for each recipient that is finished.
create table recipients (
  email_id   uuid not null,
  position   smallint not null,
  project_id uuid not null,
  recipient  text not null,
  state      text not null check (state in
    ('delivered', 'bounced', 'filteredspam', 'quarantined', 'suppressed', 'failed', 'cancelled')),
  attempts   smallint not null,
  updated_at timestamptz not null default clock_now(),
  primary key (email_id, position)
);
create index on recipients (project_id, state, email_id);
create index on recipients (project_id, recipient, email_id);

-- Each recipient in the words of the API, wherever its row is. `sending` is what may have left us; what was in the
-- hands of a worker and came back, for whatever reason, is deferred, so that nobody sees a state go back.
create view recipient_states as
  select email_id, position, project_id, recipient,
         case when state = 'in_flight' then 'sending'
              when lease_no > (state = 'claimed')::int then 'deferred'
              when state = 'waiting' then 'scheduled'
              else 'queued' end as state,
         attempts,
         case when state = 'waiting' then due_at end as next_attempt_at,
         updated_at
    from deliveries
   union all
  select email_id, position, project_id, recipient, state, attempts, null, updated_at
    from recipients;

-- An email is as far as the least finished of its recipients; once all are finished it has the word of the first one
-- that failed, unless it was cancelled.
-- Its cost is declared so that a list looks at as few emails as it shows.
create function email_status(project uuid, email uuid) returns text language sql stable cost 2000 as $$
  select coalesce(
           (array_agg(state order by array_position(array['scheduled', 'queued', 'deferred', 'sending'], state))
             filter (where state in ('scheduled', 'queued', 'deferred', 'sending')))[1],
           (array_agg(state order by state <> 'cancelled', position) filter (where state <> 'delivered'))[1],
           'delivered')
    from recipient_states
   where project_id = project and email_id = email
$$;

-- Which site takes the mail of a domain, as a worker found it last: domains of one provider share its limits. A hint;
-- a domain that is not here is a site of its own.
create table mail_routes (
  domain  text primary key,
  site    text not null,
  seen_at timestamptz not null default clock_now()
);

-- What happened, for as long as it is kept. By month, so that forgetting is dropping a table and not deleting millions
-- of rows. What belongs to a month without a table of its own is in the last one.
create table events (
  id           uuid not null,
  project_id   uuid not null,
  workspace_id uuid not null,
  kind         text not null,
  message_id   uuid not null,
  recipient    text not null,
  detail       text not null check (octet_length(detail) <= 1024),
  -- {code, enhanced, host, address, source, tls, stage, ms} of the attempt that caused it.
  smtp         jsonb,
  at           timestamptz not null default clock_now()
) partition by range (at);
create index on events (message_id, id);
create table events_other partition of events default;

-- Makes the tables for this month and the two after it, and drops those that hold nothing but what is older.
create function keep_event_months(days integer) returns void language plpgsql as $$
declare
  first  timestamptz;
  month  text;
begin
  for ahead in 0..2 loop
    first := (date_trunc('month', clock_now() at time zone 'UTC') + make_interval(months => ahead)) at time zone 'UTC';
    month := to_char(first at time zone 'UTC', '"events_"YYYY_MM');
    -- One that would have to take rows out of the last table is not worth the lock.
    continue when to_regclass(month) is not null
      or exists (select from events_other where at >= first and at < first + interval '1 month 1 day');
    execute format('create table %I partition of events for values from (%L) to (%L)',
                   month, first, (date_trunc('month', first at time zone 'UTC') + interval '1 month') at time zone 'UTC');
  end loop;
  for month in
    select relname
      from pg_inherits
      join pg_class on pg_class.oid = inhrelid
     where inhparent = 'events'::regclass
       and relname ~ '^events_\d{4}_\d{2}$'
       and to_date(right(relname, 7), 'YYYY_MM') + interval '1 month' + make_interval(days => days)
           < clock_now() at time zone 'UTC'
  loop
    execute format('drop table %I', month);
  end loop;
  delete from events_other where at < clock_now() - make_interval(days => days);
end $$;
select keep_event_months(90);
