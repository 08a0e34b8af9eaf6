-- People want to see what waits and why, and to pause one destination. Workers know the one and must obey the other, so
-- both are in the database: what each worker knows of its destinations, what was answered lately, and who paused what.

-- Mail of one project to a destination does not leave, or that of all projects where `project_id` is null. Every claim asks
-- for it and every permission, so that a pause counts on all nodes as soon as it is committed, and after any crash.
create table destination_holds (
  id           uuid primary key,
  -- Of the one who paused it.
  workspace_id uuid not null references workspaces,
  project_id   uuid references projects,
  destination  text collate "C" not null check (destination <> ''),
  key_id       uuid,
  person_id    uuid,
  because      text,
  since        timestamptz not null default clock_now(),
  unique nulls not distinct (destination, project_id)
);
create index on destination_holds (project_id);

-- What waits for another attempt, and what is held, is found by its project and destination: to be tried at once, and to
-- go on after a pause. Whatever is `ready` is in none of these.
create index on deliveries (state, project_id, destination) where state in ('waiting', 'held');

-- What a worker knows of the destinations for which it has something to do. Each worker writes its own rows every few
-- seconds while there are any, and they are gone with the worker.
create unlogged table destination_states (
  worker_id        uuid not null references workers on delete cascade,
  destination      text collate "C" not null,
  -- Mails in hand, and connections.
  busy             integer not null,
  connections      integer not null,
  -- What the destination gets at most, where that is less than usual.
  connection_limit integer,
  per_minute       double precision,
  suspended_until  timestamptz,
  on_trial         boolean not null,
  since            timestamptz,
  -- {code, enhanced, text, stage, host, at}: the answer that the last suspension or limit followed from.
  last_reply       jsonb,
  primary key (destination, worker_id)
);
create index on destination_states (worker_id);

-- How much mail of a project left through each worker lately.
create unlogged table project_flows (
  worker_id  uuid not null references workers on delete cascade,
  project_id uuid not null,
  per_second double precision not null,
  written_at timestamptz not null default clock_now(),
  primary key (project_id, worker_id)
);
create index on project_flows (worker_id);

-- What the servers of a destination answered to mail of a project, by the hour. Answers that differ in numbers and
-- addresses only are one row, with the last of them as its text.
create unlogged table destination_replies (
  project_id  uuid not null,
  destination text collate "C" not null,
  hour        timestamptz not null,
  -- Names the columns from `host` to `enhanced`, and the text without its numbers and addresses.
  mark        text collate "C" not null,
  host        text,
  address     text,
  tls         text,
  outcome     text not null check (outcome in ('accepted', 'refused', 'declined', 'lost')),
  stage       text,
  code        integer,
  enhanced    text,
  text        text not null,
  count       integer not null,
  last_at     timestamptz not null,
  primary key (project_id, destination, hour, mark)
);
create index on destination_replies (project_id, hour);

-- How much waits, counted at most every few seconds while somebody looks. `destination` is empty for what is no mail.
create unlogged table queue_picture (
  kind        text not null check (kind in ('emails', 'webhooks', 'sms')),
  project_id  uuid not null,
  destination text collate "C" not null,
  waiting     integer not null,
  -- Those of them that wait for another attempt, and those that would leave now.
  deferred    integer not null,
  due         integer not null,
  oldest_id   text,
  next_try_at timestamptz
);
create index on queue_picture (project_id);

create unlogged table queue_picture_times (
  only_row boolean primary key default true check (only_row),
  as_of    timestamptz not null,
  -- By the machine's clock.
  taken_at timestamptz not null default now()
);

-- Where a recipient's mail waits, or went.
create or replace view recipient_states as
  select email_id, position, project_id, recipient,
         case when state = 'in_flight' then 'sending'
              when lease_no > (state = 'claimed')::int then 'deferred'
              when state in ('waiting', 'held') then 'scheduled'
              else 'queued' end as state,
         attempts,
         case when state = 'waiting' then due_at end as next_attempt_at,
         updated_at,
         destination
    from deliveries
   union all
  select email_id, position, project_id, recipient, state, attempts, null, updated_at, destination
    from recipients;

-- The new index has what it was for, and a planner that chooses it walks through everything that a project holds.
drop index if exists deliveries_project_id_idx;
