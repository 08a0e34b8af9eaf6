-- Besides keys, people who are signed in call the API. What they do and make names them. Their rows may go one day, so
-- nothing here refers to them.

alter table audit_log
  add column person_id uuid,
  add column session_id uuid,
  drop constraint audit_log_actor_check,
  add constraint audit_log_actor_check check (actor in ('key', 'person', 'operator', 'recipient')),
  add check ((actor = 'person') = (person_id is not null));

alter table api_keys
  add column created_by_person uuid,
  add check (created_by is null or created_by_person is null);
create index on api_keys (workspace_id, created_by_person) where created_by_person is not null;

alter table emails add column person_id uuid;

-- A person who was removed keeps the row, so that the activity log can still name them; their address and every way in are
-- gone. `password` is argon2id with its parameters. The time-based code's secret is sealed; `totp_step` is the last
-- step whose code was used.
create table people (
  id             uuid primary key,
  workspace_id   uuid not null references workspaces,
  name           text not null,
  email          text,
  email_verified boolean not null default false,
  locale         text,
  time_zone      text,
  single_keys    boolean not null default true,
  preferences    jsonb not null default '{}',
  password       text,
  totp_secret    bytea,
  totp_since     timestamptz,
  totp_step      bigint,
  created_at     timestamptz not null default clock_now(),
  last_seen_at   timestamptz,
  disabled_at    timestamptz,
  removed_at     timestamptz,
  -- When a refused attempt to sign in was last written into the audit log.
  refusal_noted_at timestamptz,
  -- When a link to recover the account was last mailed.
  link_mailed_at timestamptz,
  check ((removed_at is null) = (email is not null)),
  check (totp_since is null or totp_secret is not null)
);
create unique index people_email on people (workspace_id, lower(email));

-- A role in the workspace (project_id is null) or in one project.
create table memberships (
  workspace_id uuid not null,
  person_id    uuid not null references people on delete cascade,
  project_id   uuid,
  role         text not null check (role in ('owner', 'admin', 'developer', 'marketer', 'author', 'viewer')),
  foreign key (workspace_id, project_id) references projects (workspace_id, id),
  unique nulls not distinct (person_id, project_id),
  check (role <> 'owner' or project_id is null)
);
create index on memberships (workspace_id, project_id);

create table sessions (
  id           uuid primary key,
  workspace_id uuid not null,
  person_id    uuid not null references people,
  token_hash   bytea not null unique check (length(token_hash) = 32),
  address      text not null,
  device       text not null,
  created_at   timestamptz not null default clock_now(),
  last_seen_at timestamptz not null default clock_now(),
  -- When the person last proved that it is them.
  confirmed_at timestamptz not null default clock_now(),
  ended_at     timestamptz
);
create index on sessions (person_id) where ended_at is null;
create index on sessions (ended_at) where ended_at is not null;

create table passkeys (
  id            uuid primary key,
  person_id     uuid not null references people,
  credential_id bytea not null unique,
  public_key    bytea not null,
  counter       bigint not null,
  transports    text[] not null,
  name          text not null,
  created_at    timestamptz not null default clock_now(),
  last_used_at  timestamptz
);
create index on passkeys (person_id);

create table recovery_codes (
  person_id uuid not null references people,
  code_hash bytea not null check (length(code_hash) = 32),
  used_at   timestamptz,
  primary key (person_id, code_hash)
);

create table invitations (
  id           uuid primary key,
  workspace_id uuid not null references workspaces,
  email        text not null,
  -- {workspace: role or null, projects: [{projectId, role}]}
  roles        jsonb not null,
  token_hash   bytea not null unique check (length(token_hash) = 32),
  -- The email that carries a link of its own, which is signed and not stored: whoever follows it has the address.
  email_id     uuid unique,
  invited_by   uuid,
  created_at   timestamptz not null default clock_now(),
  expires_at   timestamptz not null,
  ended_at     timestamptz
);
create index on invitations (workspace_id, id);

-- Links that are good once: to set the workspace up, or to get back in.
create table one_time_links (
  id                    bigint generated always as identity primary key,
  workspace_id          uuid not null references workspaces,
  kind                  text not null check (kind in ('setup', 'recovery')),
  person_id             uuid references people,
  -- The token of a link that is mailed is signed and not stored; following it proves the address.
  token_hash            bytea unique check (length(token_hash) = 32),
  email_id              uuid unique,
  without_second_factor boolean not null default false,
  expires_at            timestamptz not null,
  used_at               timestamptz,
  check ((kind = 'recovery') = (person_id is not null)),
  check (num_nonnulls(token_hash, email_id) = 1)
);
create index on one_time_links (person_id);

-- Challenges of passkeys, each good once.
create table passkey_challenges (
  challenge  bytea primary key,
  person_id  uuid references people,
  expires_at timestamptz not null
);

-- Failed attempts to sign in, and those that are under way. `account` is a keyed hash of the address that was typed,
-- whether anybody has it or not; null for what is not about one account.
create table sign_in_failures (
  id      bigint generated always as identity primary key,
  account bytea,
  address text not null,
  at      timestamptz not null default clock_now()
);
create index on sign_in_failures (account, at);
create index on sign_in_failures (address, at);

alter table workspaces
  add column session_days smallint check (session_days between 1 and 365),
  add column session_idle_hours integer check (session_idle_hours between 1 and 8760),
  add column second_factor_required boolean not null default false;
