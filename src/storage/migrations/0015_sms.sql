-- SMS: who may take part, the money that it is paid with, the records that carriers ask for, who agreed and who does not
-- want any, and the messages themselves.
--
-- Numbers, texts and proofs of consent are sealed (storage/secrets.ts). A number is looked up by its HMAC under a key of
-- its project, kept here: a key derived from the master key would change with it, and nobody's STOP may be forgotten.

-- One row for each project that was ever invited; whether it is now stands in `projects`.
create table sms_projects (
  project_id uuid primary key references projects,
  phone_key  bytea not null,
  -- Where live messages may go; null for the sender's own country.
  countries  text[],
  created_at timestamptz not null default clock_now()
);

-- Money is in millionths of the currency, in whole numbers, and small enough to be exact wherever it is read.
create domain micros as bigint check (value between -9007199254740991 and 9007199254740991);

create table sms_wallets (
  id               uuid primary key,
  project_id       uuid not null references projects,
  mode             text not null check (mode in ('test', 'live')),
  currency         text not null default 'USD',
  available_micros micros not null default 0,
  reserved_micros  micros not null default 0 check (reserved_micros >= 0),
  low_micros       micros not null default 1000000 check (low_micros >= 0),
  -- What may be spent on one day (UTC); null is unlimited.
  daily_cap_micros micros check (daily_cap_micros >= 0),
  -- On the day that was counted last; the ledger has it too, but to add it up for every message would take too long.
  spent_micros     micros not null default 0,
  spent_on         date not null default (clock_now() at time zone 'UTC')::date,
  is_low           boolean not null default false,
  frozen_at        timestamptz,
  ledger_seq       bigint not null default 0,
  last_entry_at    timestamptz not null default clock_now(),
  created_at       timestamptz not null default clock_now(),
  unique (project_id, mode)
);

create table sms_top_ups (
  id            uuid primary key,
  project_id    uuid not null references projects,
  wallet_id     uuid not null references sms_wallets,
  amount_micros micros not null check (amount_micros > 0),
  currency      text not null,
  status        text not null check (status in ('pending', 'settled', 'failed', 'reversed')),
  method        text not null,
  -- The operator's own name for it; the same one again changes nothing.
  reference     text not null,
  created_at    timestamptz not null default clock_now(),
  settled_at    timestamptz,
  reversed_at   timestamptz,
  unique (wallet_id, reference)
);
create index on sms_top_ups (wallet_id, id);

-- Every movement of money, once and for good. The deltas are those of the wallet's two accounts; the other side of each
-- entry is in its postings, which add up to zero.
create table sms_ledger (
  id                     uuid primary key,
  project_id             uuid not null references projects,
  wallet_id              uuid not null references sms_wallets,
  seq                    bigint not null,
  type                   text not null check (type in
    ('top_up', 'top_up_reversal', 'reservation', 'charge', 'release', 'refund', 'adjustment')),
  message_id             uuid,
  top_up_id              uuid references sms_top_ups,
  reverses_entry_id      uuid references sms_ledger,
  -- Of adjustments: whose they are, and why.
  reference              text,
  reason                 text,
  available_delta_micros micros not null,
  reserved_delta_micros  micros not null,
  available_after_micros micros not null,
  reserved_after_micros  micros not null,
  -- Of charges: for how many segments.
  segments               integer not null default 0,
  created_at             timestamptz not null,
  unique (wallet_id, seq),
  check ((type in ('reservation', 'charge', 'release', 'refund')) = (message_id is not null)),
  check ((type in ('top_up', 'top_up_reversal')) = (top_up_id is not null)),
  check ((type = 'adjustment') = (reference is not null))
);
create unique index sms_ledger_message on sms_ledger (message_id, type) where type in ('reservation', 'charge', 'release');
create unique index sms_ledger_top_up on sms_ledger (top_up_id, type);
create unique index sms_ledger_adjustment on sms_ledger (wallet_id, reference);
create index on sms_ledger (message_id) where message_id is not null;
create index on sms_ledger (wallet_id, created_at);

create table sms_postings (
  entry_id      uuid not null references sms_ledger,
  line          smallint not null,
  account       text not null check (account in
    ('wallet:available', 'wallet:reserved', 'platform:cash', 'platform:revenue', 'platform:adjustments')),
  debit_micros  micros not null default 0 check (debit_micros >= 0),
  credit_micros micros not null default 0 check (credit_micros >= 0),
  primary key (entry_id, line),
  check ((debit_micros = 0) <> (credit_micros = 0))
);

create trigger append_only before update or delete or truncate on sms_ledger
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on sms_postings
  for each statement execute function refuse_change();

-- What a segment costs, from a moment on. Rows are only added: a message names the one that it was priced by.
create table sms_rates (
  id                 uuid primary key,
  country            text not null,
  sender_type        text not null,
  -- Null for all that have no row of their own.
  category           text,
  base_micros        micros not null check (base_micros >= 0),
  carrier_fee_micros micros not null check (carrier_fee_micros >= 0),
  currency           text not null default 'USD',
  -- Whether what the carrier took and could not deliver is paid back.
  refund_undelivered boolean not null default false,
  effective_from     timestamptz not null,
  created_at         timestamptz not null default clock_now()
);
create unique index on sms_rates (country, sender_type, coalesce(category, ''), effective_from);
insert into sms_rates (id, country, sender_type, base_micros, carrier_fee_micros, effective_from)
values (gen_random_uuid(), 'US', 'simulator', 7900, 3000, '2020-01-01T00:00:00Z');

-- The records that carriers ask for. The first statuses are moved by the API, the others by the operator.
create table sms_business_profiles (
  id                  uuid primary key,
  project_id          uuid not null references projects,
  status              text not null default 'draft' check (status in
    ('draft', 'submitted', 'in_review', 'approved', 'rejected', 'suspended', 'expired')),
  fields              jsonb not null,
  registration_number bytea,
  registration_last2  text,
  rejection_reasons   jsonb not null default '[]',
  created_at          timestamptz not null default clock_now(),
  updated_at          timestamptz not null default clock_now()
);
create index on sms_business_profiles (project_id, id);

create table sms_programs (
  id                  uuid primary key,
  project_id          uuid not null references projects,
  business_profile_id uuid references sms_business_profiles,
  is_built_in         boolean not null default false,
  status              text not null default 'draft' check (status in
    ('draft', 'submitted', 'in_review', 'approved', 'rejected', 'suspended', 'expired')),
  fields              jsonb not null,
  rejection_reasons   jsonb not null default '[]',
  created_at          timestamptz not null default clock_now(),
  updated_at          timestamptz not null default clock_now()
);
create index on sms_programs (project_id, id);
create unique index on sms_programs (project_id) where is_built_in;

create table sms_senders (
  id                    uuid primary key,
  project_id            uuid not null references projects,
  program_id            uuid references sms_programs,
  is_built_in           boolean not null default false,
  type                  text not null check (type in ('simulator', 'long_code', 'toll_free', 'short_code', 'alphanumeric')),
  address               text not null,
  country               text not null,
  two_way               boolean not null default false,
  status                text not null default 'draft' check (status in
    ('draft', 'submitted', 'in_review', 'approved', 'rejected', 'suspended', 'expired', 'active')),
  -- The carrier connection that it sends through.
  connection            text,
  throughput_per_second integer,
  daily_cap             integer,
  rejection_reasons     jsonb not null default '[]',
  created_at            timestamptz not null default clock_now(),
  updated_at            timestamptz not null default clock_now(),
  check (status <> 'active' or connection is not null),
  unique (project_id, address)
);
create index on sms_senders (project_id, id);
create unique index on sms_senders (project_id) where is_built_in;
-- Of all projects one can send with an address; a draft of somebody else takes it from nobody.
create unique index sms_senders_active on sms_senders (address) where status = 'active' and type <> 'simulator';

-- Who agreed to what, and who took it back: what counts is the newest of a number and a program.
create table sms_consents (
  id                 uuid primary key,
  project_id         uuid not null references projects,
  program_id         uuid not null references sms_programs,
  phone_hmac         bytea not null,
  phone              bytea not null,
  masked             text not null,
  type               text not null check (type in ('express', 'express_written')),
  action             text not null check (action in ('granted', 'revoked')),
  method             text not null check (method in
    ('web_form', 'keyword', 'paper', 'verbal', 'point_of_sale', 'import', 'api')),
  captured_at        timestamptz not null,
  evidence           bytea,
  evidence_sha256    bytea,
  recipient_timezone text,
  expires_at         timestamptz,
  recorded_at        timestamptz not null default clock_now(),
  recorded_by        uuid references api_keys,
  -- Of all that it says: the same again is the same record.
  fingerprint        bytea not null,
  unique (project_id, fingerprint)
);
create index on sms_consents (project_id, phone_hmac, program_id, captured_at desc);
create index on sms_consents (project_id, id);
create trigger append_only before update or delete or truncate on sms_consents
  for each statement execute function refuse_change();

-- 0 for nothing, 1 for express, 2 for express and in writing.
create function sms_consent_level(of_project uuid, of_phone bytea, of_program uuid) returns integer language sql stable as $$
  select coalesce((
    select case when action = 'revoked' or expires_at <= clock_now() then 0
                when type = 'express_written' then 2
                else 1 end
      from sms_consents
     where project_id = of_project and phone_hmac = of_phone and program_id = of_program
     order by captured_at desc, action = 'revoked' desc, id desc
     limit 1), 0)
$$;

-- Whom a project must not text. A row is lifted, never removed.
create table sms_suppressions (
  id         uuid primary key,
  project_id uuid not null references projects,
  phone_hmac bytea not null,
  phone      bytea not null,
  masked     text not null,
  scope      text not null check (scope in ('project', 'program')),
  program_id uuid references sms_programs,
  origin     text not null check (origin in ('keyword', 'inferred', 'carrier', 'manual')),
  reason     text not null check (reason in ('manual', 'complaint', 'legal', 'invalid_number', 'opt_out')),
  note       text,
  status     text not null default 'active' check (status in ('active', 'lifted')),
  -- On numbers that nobody can answer from.
  expires_at timestamptz,
  created_at timestamptz not null default clock_now(),
  lifted_at  timestamptz,
  lifted_by  text,
  check ((scope = 'program') = (program_id is not null)),
  check ((status = 'lifted') = (lifted_at is not null))
);
create unique index on sms_suppressions (project_id, phone_hmac, scope, coalesce(program_id, project_id))
  where status = 'active';
create index on sms_suppressions (project_id, id);

create function lift_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.status = 'active' and new.status = 'lifted'
     and (new.id, new.project_id, new.phone_hmac, new.scope, new.origin, new.created_at)
       = (old.id, old.project_id, old.phone_hmac, old.scope, old.origin, old.created_at) then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger lift_only before update or delete on sms_suppressions for each row execute function lift_only();

create function sms_suppressed(of_project uuid, of_phone bytea, of_program uuid) returns boolean language sql stable as $$
  select exists (
    select from sms_suppressions
     where project_id = of_project and phone_hmac = of_phone and status = 'active'
       and (expires_at is null or expires_at > clock_now())
       and (scope = 'project' or program_id = of_program))
$$;

create table sms_messages (
  id                  uuid primary key,
  project_id          uuid not null references projects,
  workspace_id        uuid not null references workspaces,
  mode                text not null check (mode in ('test', 'live')),
  direction           text not null check (direction in ('outbound', 'inbound')),
  status              text not null check (status in ('queued', 'deferred', 'sent', 'delivered', 'undelivered',
    'failed', 'expired', 'unconfirmed', 'received')),
  category            text check (category in
    ('authentication', 'transactional', 'marketing', 'conversational', 'keyword_reply')),
  keyword             text check (keyword in ('STOP', 'HELP', 'START')),
  -- Kept as long as the message: for ever.
  idempotency_key     text,
  fingerprint         bytea,
  answer              text,
  sender_id           uuid not null references sms_senders,
  program_id          uuid references sms_programs,
  -- The handset's number, whichever way the message went, and ours.
  phone_hmac          bytea not null,
  phone_prefix_hmac   bytea not null,
  phone               bytea not null,
  masked              text not null,
  our_address         text not null,
  country             text,
  connection          text not null,
  encoding            text check (encoding in ('gsm7', 'ucs2')),
  units               integer not null,
  segments            integer not null,
  segment_micros      micros not null default 0,
  currency            text not null default 'USD',
  rate_id             uuid references sms_rates,
  charged_micros      micros not null default 0,
  -- Whether the reservation is resolved, by a charge, a release or both.
  money_settled_at    timestamptz,
  body                bytea,
  -- What is sent, where that is not the body.
  body_sent           bytea,
  metadata            bytea,
  body_purged_at      timestamptz,
  consent_id          uuid,
  consent_type        text,
  consent_at          timestamptz,
  -- As sms_consent_level() counts; asked again before it leaves.
  consent_needed      smallint not null default 0,
  -- The zone and the hours that it may arrive in; null where any will do.
  quiet               jsonb,
  concat_ref          integer,
  valid_until         timestamptz not null,
  deferred_until      timestamptz,
  defer_reason        text,
  error_code          text,
  provider_error_code text,
  -- Inbound: parts that never came.
  is_incomplete       boolean not null default false,
  -- How many events were told of it.
  sequence            integer not null default 0,
  created_at          timestamptz not null default clock_now(),
  sent_at             timestamptz,
  final_at            timestamptz,
  check ((direction = 'inbound') = (status = 'received')),
  check ((direction = 'outbound' and category <> 'keyword_reply') = (idempotency_key is not null)),
  check ((idempotency_key is null) = (fingerprint is null) and (fingerprint is null) = (answer is null))
);
create unique index sms_messages_key on sms_messages (project_id, idempotency_key) where idempotency_key is not null;
create index on sms_messages (project_id, id);
create index on sms_messages (project_id, phone_hmac, id);
create index on sms_messages (project_id, phone_prefix_hmac, created_at);
create index on sms_messages (project_id, created_at);
create index on sms_messages (sender_id, created_at);
create index on sms_messages (project_id, phone_hmac) where status in ('queued', 'deferred');
create index on sms_messages (created_at) where body is not null;
create index on sms_messages (sent_at) where status in ('sent', 'unconfirmed');

-- What is billed and submitted one by one. The parts of a message go one after the other: those behind the first are
-- held until the one before them was taken. Rows stay, for the reports that come later.
create table sms_parts (
  id                  uuid primary key,
  project_id          uuid not null,
  message_id          uuid not null references sms_messages,
  seq                 smallint not null check (seq > 0),
  units               integer not null,
  attempts            smallint not null default 0,
  -- Whether the carrier is known to have taken it: that is what is paid for.
  accepted            boolean not null default false,
  -- The lease under which it was last begun and has not come to an outcome.
  begun_lease         integer,
  provider_message_id text,
  error_code          text,
  provider_error_code text,
  submitted_at        timestamptz,
  final_at            timestamptz,
  unique (message_id, seq)
);
select make_dispatch_queue('sms_parts');
-- held         waits for the part before it
-- sent         the carrier has it; delivered and undelivered are what it said afterwards
-- unknown      it may have left: nobody answered
-- unconfirmed  nothing more was said in the time that is waited for it, of either
-- refused      by the carrier, for good; stopped is by us, before it could leave
alter table sms_parts add check (state in ('waiting', 'ready', 'claimed', 'in_flight', 'held', 'sent', 'unknown',
  'unconfirmed', 'delivered', 'undelivered', 'refused', 'stopped'));
create index on sms_parts (destination, provider_message_id) where provider_message_id is not null;
create index on sms_parts (submitted_at) where state in ('sent', 'unknown');

-- Committed with the lease's point of no return: whoever finds it set by an earlier lease knows that the part may have
-- left, and does not submit it again.
create function note_sms_part_begun() returns trigger language plpgsql as $$
begin
  new.begun_lease := new.lease_no;
  return new;
end $$;
create trigger begun before update of state on sms_parts for each row
  when (new.state = 'in_flight' and old.state is distinct from 'in_flight') execute function note_sms_part_begun();

-- What happened to a message, for whoever looks at it; what came too late to matter as well.
create table sms_events (
  id         uuid primary key,
  project_id uuid not null,
  message_id uuid not null,
  type       text not null,
  status     text,
  error_code text,
  detail     text not null default '',
  at         timestamptz not null default clock_now()
);
create index on sms_events (message_id, id);

-- A message as far as it is: what the words of the API say of one that is under way depends on its parts.
create function sms_status(message sms_messages) returns text language sql stable cost 200 as $$
  select case
    when message.status not in ('queued', 'deferred') then message.status
    when exists (select from sms_parts p
                  where p.message_id = message.id and p.state in ('in_flight', 'sent', 'unknown', 'delivered', 'undelivered'))
      then 'submitting'
    when message.status = 'deferred' and message.deferred_until > clock_now() then 'deferred'
    else 'queued' end
$$;

-- Reports that came before we knew the carrier's name for the part.
create table sms_orphan_receipts (
  id          uuid primary key,
  connection  text not null,
  provider_id text not null,
  receipt     jsonb not null,
  -- Whose message it was, where the carrier said so.
  project_id  uuid,
  phone_hmac  bytea,
  created_at  timestamptz not null default clock_now()
);
create index on sms_orphan_receipts (connection, provider_id);
create index on sms_orphan_receipts (created_at);

-- Parts of what comes in, until all of them are there; and each for a while, because carriers say things twice.
create table sms_inbound_parts (
  id          uuid primary key,
  connection  text not null,
  project_id  uuid not null,
  sender_id   uuid not null,
  from_hmac   bytea not null,
  phone       bytea not null,
  ref         integer not null,
  total       smallint not null,
  seq         smallint not null,
  body_sha256 bytea not null,
  bucket      bigint not null,
  -- Counts what was said again in the same words, and meant again.
  take        integer not null default 0,
  alphabet    text not null,
  -- Sealed; emptied when the message is put together.
  payload     bytea,
  is_answered boolean not null default false,
  joined_at   timestamptz,
  created_at  timestamptz not null default clock_now(),
  unique (connection, project_id, from_hmac, sender_id, ref, total, seq, body_sha256, bucket, take)
);
create index on sms_inbound_parts (created_at);
create index on sms_inbound_parts (sender_id, from_hmac, id);

-- What the simulator's handsets and networks are still going to do.
create table sms_simulations (
  id         uuid primary key,
  project_id uuid not null,
  message_id uuid not null,
  happening  jsonb not null
);
select make_dispatch_queue('sms_simulations');
alter table sms_simulations add check (state in ('waiting', 'ready', 'claimed', 'in_flight'));

-- References of parts that belong together, counted for each connection and number: two messages that overtake each
-- other must not have the same.
create table sms_concat_refs (
  connection text not null,
  phone_hmac bytea not null,
  next       integer not null,
  primary key (connection, phone_hmac)
);
