-- Broadcasts: one message to everybody in an audience.

create table broadcasts (
  id           uuid primary key,
  project_id   uuid not null references projects,
  audience_id  uuid not null,
  -- draft → scheduled → sending → sent; draft → sending; scheduled → draft; sending ⇄ paused
  status       text not null default 'draft' check (status in ('draft', 'scheduled', 'sending', 'paused', 'sent')),
  -- Counts the changes of a draft: what was checked is what is sent.
  version      integer not null default 1,
  -- Null for the subject.
  name         text,
  sender       text not null,
  reply_to     text[] not null default '{}',
  subject      text,
  preview_text text,
  html         text,
  text         text,
  template_id  uuid,
  variables    jsonb not null default '{}',
  -- Null leaves it to the sender's domain.
  track_opens  boolean,
  track_clicks boolean,
  per_minute   integer check (per_minute > 0),
  send_at      timestamptz,
  -- Why it is a draft again although its time had come.
  problem      text,
  created_at   timestamptz not null default clock_now(),
  started_at   timestamptz,
  completed_at timestamptz,
  -- What is sent, and in whose name: {domainId, tracking}. Both are fixed when it starts.
  content_id   uuid,
  sent_as      jsonb,
  -- Its recipients are written down in the order of their ids, in pieces. Everybody up to this contact has been looked
  -- at, and when that was everybody.
  expanded_to  uuid,
  expanded_at  timestamptz,
  -- Then each of them gets an email, in the same order: up to this contact, so many, and when that was everybody.
  fed_to       uuid,
  fed          bigint not null default 0,
  fed_at       timestamptz,
  -- Of one that is throttled: when the next ones may follow.
  next_feed_at timestamptz,
  check ((status in ('sending', 'paused', 'sent')) = (started_at is not null)),
  check ((started_at is null) = (content_id is null) and (started_at is null) = (sent_as is null)),
  check ((status = 'sent') = (completed_at is not null)),
  check (status <> 'scheduled' or send_at is not null),
  check (status <> 'draft' or send_at is null),
  check (problem is null or status = 'draft'),
  check (fed_at is null or expanded_at is not null)
);
create index on broadcasts (project_id, id);
create index on broadcasts (project_id, audience_id, id);
-- What there is to look after.
create index on broadcasts (status, send_at) where status in ('scheduled', 'sending', 'paused');

-- Who gets it. Fixed: whoever joins later is not among them, whoever leaves is not mailed all the same.
create table broadcast_recipients (
  broadcast_id uuid not null,
  contact_id   uuid not null,
  primary key (broadcast_id, contact_id)
);

-- Where they are, by their number; those that no other column counts are queued. Apart from the broadcast, because it is
-- written with every handful of outcomes, and because whoever writes emails for it holds the broadcast meanwhile.
create table broadcast_counts (
  broadcast_id uuid primary key,
  recipients   bigint not null default 0,
  delivered    bigint not null default 0,
  deferred     bigint not null default 0,
  bounced      bigint not null default 0,
  filteredspam bigint not null default 0,
  quarantined  bigint not null default 0,
  suppressed   bigint not null default 0,
  failed       bigint not null default 0,
  unsubscribed bigint not null default 0,
  opens        bigint not null default 0,
  clicks       bigint not null default 0
) with (fillfactor = 20);
