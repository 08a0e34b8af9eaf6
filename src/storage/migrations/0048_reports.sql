-- Aggregate reports about a domain (DMARC, SMTP TLS) come by mail to an address of ours, and are kept as sums.

-- The name of the domain's own report address. It is in the DNS for everybody to read, so it proves nothing; it only says
-- which domain a report came for.
alter table domains add column report_token text not null default replace(gen_random_uuid()::text, '-', '');
create unique index domains_report_token on domains (report_token);
alter table receiving_domains add column report_token text not null default replace(gen_random_uuid()::text, '-', '');
create unique index receiving_domains_report_token on receiving_domains (report_token);

-- For a report about a domain: which one, sending or receiving. The email is null then, as in a complaint.
alter table received_reports
  add column domain_id uuid,
  add column domain_name text,
  add check ((domain_id is null) = (domain_name is null)),
  add check (domain_id is null or email_id is null);

-- Every report that was counted. The key is what makes it count once, however often it comes.
create table domain_reports (
  domain_id   uuid not null,
  kind        text not null check (kind in ('dmarc', 'tls')),
  -- SHA-256 of the reporter's name and its id of the report, which may be long.
  digest      bytea not null,
  reporter    text not null,
  report_id   text not null,
  day         date not null,
  -- How many sums it brought.
  rows        integer not null,
  received_at timestamptz not null default clock_now(),
  primary key (domain_id, kind, digest)
);
create index on domain_reports (domain_id, kind, day);
create index on domain_reports (day);

create table dmarc_sums (
  domain_id    uuid not null,
  day          date not null,
  reporter     text not null,
  -- Null for all addresses beyond those that are kept apart.
  source       inet,
  disposition  text not null check (disposition in ('none', 'quarantine', 'reject')),
  dkim_aligned boolean not null,
  spf_aligned  boolean not null,
  messages     bigint not null check (messages > 0)
);
create unique index dmarc_sums_key on dmarc_sums (domain_id, day, reporter, source, disposition, dkim_aligned, spf_aligned)
  nulls not distinct;
create index on dmarc_sums (day);

create table tls_sums (
  domain_id uuid not null,
  day       date not null,
  reporter  text not null,
  -- sts, tlsa or no-policy-found.
  policy    text not null,
  -- The result type of RFC 8460 §4.3; empty for sessions that were all right.
  failure   text not null,
  -- The receiving host where one is named; empty otherwise.
  host      text not null,
  sessions  bigint not null check (sessions > 0),
  primary key (domain_id, day, reporter, policy, failure, host)
);
create index on tls_sums (day);

-- Addresses that reports have named, and whose they are. They are the same for everybody here.
create table dmarc_sources (
  address inet primary key,
  kind    text not null default 'stranger' check (kind in ('ours', 'known', 'stranger')),
  -- Of the sender, or the host's own name.
  name    text,
  seen_at timestamptz not null default clock_now(),
  -- When the DNS is asked about it.
  ask_at  timestamptz not null default clock_now()
);
create index on dmarc_sources (ask_at);
