-- Tenancy and access, which every later table hangs on: workspaces hold projects, keys open them, and the audit log
-- remembers who did what.

-- The one clock that due times, expiry and quotas are decided by. A function of ours, so that a test can move time
-- for a whole database without touching the machine's clock. Stable and inlined: an index on a due time is still used.
create function clock_now() returns timestamptz language sql stable as 'select now()';

create table workspaces (
  id         uuid primary key,
  name       text not null,
  created_at timestamptz not null default clock_now()
);

create table projects (
  id               uuid primary key,
  workspace_id     uuid not null references workspaces,
  name             text not null,
  status           text not null default 'active' check (status in ('active', 'paused', 'archived')),
  emails_per_day   bigint check (emails_per_day >= 0),
  emails_per_month bigint check (emails_per_month >= 0),
  sms_invited      boolean not null default false,
  sms_live         boolean not null default false,
  created_at       timestamptz not null default clock_now(),
  updated_at       timestamptz not null default clock_now(),
  paused_at        timestamptz,
  archived_at      timestamptz,
  check ((status = 'paused') = (paused_at is not null)),
  check ((status = 'archived') = (archived_at is not null)),
  unique (workspace_id, id)
);

-- How many recipients a project mailed in a period, counted in the transaction that accepts them.
create table quota_usage (
  project_id uuid not null references projects,
  period     text not null check (period in ('day', 'month')),
  starts_on  date not null,
  used       bigint not null check (used >= 0),
  primary key (project_id, period, starts_on)
);

create table api_keys (
  id           uuid primary key,
  workspace_id uuid not null references workspaces,
  project_id   uuid,
  name         text not null,
  full_access  boolean not null,
  scopes       text[] not null,
  secret_hash  bytea not null unique check (length(secret_hash) = 32),
  last4        text not null check (length(last4) = 4),
  created_by   uuid references api_keys,
  created_at   timestamptz not null default clock_now(),
  last_used_at timestamptz,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  foreign key (workspace_id, project_id) references projects (workspace_id, id),
  check (not full_access or scopes = '{}')
);
create index on api_keys (workspace_id, id);

-- Append-only: rows are neither changed nor removed, not even by us.
create table audit_log (
  id           uuid primary key,
  workspace_id uuid not null references workspaces,
  project_id   uuid references projects,
  actor        text not null check (actor in ('key', 'operator')),
  key_id       uuid references api_keys,
  request_id   text,
  action       text not null,
  subject      text not null,
  details      jsonb not null default '{}',
  at           timestamptz not null default clock_now(),
  check ((actor = 'key') = (key_id is not null))
);
create index on audit_log (workspace_id, id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

create trigger append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();

-- The answer to a request that carried an idempotency key, written in the transaction of what the request did.
create table idempotency_keys (
  project_id  uuid not null references projects,
  key         text not null check (length(key) between 1 and 256),
  endpoint    text not null,
  fingerprint bytea not null,
  status      smallint,
  body        text,
  created_at  timestamptz not null default clock_now(),
  primary key (project_id, key)
);
create index on idempotency_keys (created_at);

-- What is left of each key's allowance. Losing it in a crash costs nothing: everybody starts with a full bucket.
create unlogged table rate_buckets (
  key_id    uuid primary key,
  tokens    double precision not null,
  granted   integer not null,
  filled_at timestamptz not null
);

-- A word sealed with the installation's master key: a node that cannot open it has the wrong key, and must not start
-- to seal secrets that the other nodes could not read.
create table master_key_check (
  only_row boolean primary key default true check (only_row),
  sealed   bytea not null
);
