-- What became of mail and webhooks, in numbers. Whoever records something adds rows to `…_added`, in the same transaction;
-- a job moves them into the tables of minutes, quarters of an hour, hours and days, and whoever asks adds up both. Counters
-- that many writers update would make them wait for each other.

-- An email without a domain (the sandbox) or a template has the id that is all zeros; a row without a tag has ''. An email
-- with tags is counted once without them, and once for each.
create table statistics_added (
  project_id  uuid not null,
  at          timestamptz not null,
  domain_id   uuid not null,
  provider    text not null,
  source      text not null,
  template_id uuid not null,
  tag         text not null,
  kind        text not null,
  -- How long the delivery took, as a class.
  latency     smallint,
  recipients  int not null
);
create index on statistics_added (project_id);

-- Every row counts for one combination of names. `unsorted_by` has a bit for each of domain, provider, source, template and tag that the
-- row is not sorted by: a question about few names reads few rows. What a row is not sorted by is zeros or ''.
create table statistics_minutes (
  project_id   uuid not null,
  unsorted_by  smallint not null,
  at           timestamptz not null,
  domain_id    uuid not null,
  provider     text not null,
  source       text not null,
  template_id  uuid not null,
  tag          text not null,
  accepted     bigint not null,
  delivered    bigint not null,
  deferred     bigint not null,
  bounced      bigint not null,
  filteredspam bigint not null,
  quarantined  bigint not null,
  suppressed   bigint not null,
  failed       bigint not null,
  opened       bigint not null,
  clicked      bigint not null,
  unsubscribed bigint not null,
  -- Deliveries by how long they took, the fastest class first.
  latency_0    bigint not null,
  latency_1    bigint not null,
  latency_2    bigint not null,
  latency_3    bigint not null,
  latency_4    bigint not null,
  latency_5    bigint not null,
  latency_6    bigint not null,
  latency_7    bigint not null,
  latency_8    bigint not null,
  latency_9    bigint not null,
  latency_10   bigint not null,
  latency_11   bigint not null,
  primary key (project_id, unsorted_by, at, domain_id, provider, source, template_id, tag)
) with (fillfactor = 80);
create index on statistics_minutes (at);
create table statistics_quarters (like statistics_minutes including all) with (fillfactor = 80);
create table statistics_hours (like statistics_minutes including all) with (fillfactor = 80);
create table statistics_days (like statistics_minutes including all) with (fillfactor = 80);

-- The tags that a project is counted by: senders may make up a new one for every email, and there must be an end to it.
create table statistics_tags (
  project_id uuid not null,
  tag        text not null,
  seen_at    timestamptz not null,
  primary key (project_id, tag)
);

create table webhook_statistics_added (
  project_id  uuid not null,
  at          timestamptz not null,
  endpoint_id uuid not null,
  kind        text not null,
  latency     smallint,
  deliveries  int not null
);
create index on webhook_statistics_added (project_id);

create table webhook_statistics_minutes (
  project_id  uuid not null,
  unsorted_by smallint not null,
  at          timestamptz not null,
  endpoint_id uuid not null,
  delivered   bigint not null,
  failed      bigint not null,
  attempts    bigint not null,
  latency_0   bigint not null,
  latency_1   bigint not null,
  latency_2   bigint not null,
  latency_3   bigint not null,
  latency_4   bigint not null,
  latency_5   bigint not null,
  latency_6   bigint not null,
  latency_7   bigint not null,
  latency_8   bigint not null,
  latency_9   bigint not null,
  latency_10  bigint not null,
  latency_11  bigint not null,
  primary key (project_id, unsorted_by, at, endpoint_id)
) with (fillfactor = 80);
create index on webhook_statistics_minutes (at);
create table webhook_statistics_quarters (like webhook_statistics_minutes including all) with (fillfactor = 80);
create table webhook_statistics_hours (like webhook_statistics_minutes including all) with (fillfactor = 80);
create table webhook_statistics_days (like webhook_statistics_minutes including all) with (fillfactor = 80);
