-- Sending domains: who may write mail in whose name, proven by records in the DNS, and the keys that sign it.

create table domains (
  id              uuid primary key,
  project_id      uuid not null references projects,
  name            text not null check (name = lower(name)),
  status          text not null default 'pending' check (status in ('pending', 'verified', 'warning', 'failed')),
  -- What the last look at the DNS saw, one entry per record. Which records there should be is not stored: it follows
  -- from the keys and the configuration.
  seen            jsonb not null default '[]',
  track_opens     boolean not null default false,
  track_clicks    boolean not null default false,
  tracking_host   text,
  created_at      timestamptz not null default clock_now(),
  verified_at     timestamptz,
  -- When the last look began. One that began earlier and ended later is not recorded.
  last_checked_at timestamptz,
  next_check_at   timestamptz not null default clock_now() + interval '5 minutes',
  -- Until then somebody is probably at work in their DNS, and we look often.
  watched_until   timestamptz not null default clock_now() + interval '72 hours',
  -- Since when a verified domain lacks a record; it goes on sending for a day.
  warning_since   timestamptz,
  -- Mail that was accepted before is still signed and sent, so the row and its keys stay.
  removed_at      timestamptz,
  check ((status = 'warning') = (warning_since is not null)),
  check (status in ('pending', 'failed') or verified_at is not null)
);
create unique index domains_name_in_project on domains (project_id, name) where removed_at is null;
-- The line that decides whose a domain is: of all projects of the installation, one.
create unique index domains_one_owner on domains (name) where status in ('verified', 'warning') and removed_at is null;
create index on domains (next_check_at) where removed_at is null;
create index on domains (project_id, id);

create table domain_keys (
  domain_id   uuid not null references domains on delete cascade,
  selector    text not null,
  algorithm   text not null check (algorithm in ('rsa', 'ed25519')),
  -- The value of the TXT record that publishes it.
  record      text not null,
  -- Sealed to this row; see storage/secrets.ts.
  private_key bytea not null,
  -- pending: published by nobody yet · active: signs · retired: signs no more, but mail under way may carry it
  state       text not null default 'pending' check (state in ('pending', 'active', 'retired')),
  created_at  timestamptz not null default clock_now(),
  retired_at  timestamptz,
  primary key (domain_id, selector),
  check ((state = 'retired') = (retired_at is not null))
);
create unique index domain_keys_one_active on domain_keys (domain_id, algorithm) where state = 'active';
create unique index domain_keys_one_pending on domain_keys (domain_id, algorithm) where state = 'pending';
