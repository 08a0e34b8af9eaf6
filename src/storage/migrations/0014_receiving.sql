-- Receiving: who takes mail for which names, what came in for them, and what came back for mail that we sent.

create table receiving_domains (
  id              uuid primary key,
  project_id      uuid not null references projects,
  type            text not null check (type in ('custom', 'managed')),
  name            text not null check (name = lower(name)),
  status          text not null default 'pending' check (status in ('pending', 'verified', 'failed')),
  -- What the last look at the DNS saw, as in `domains`.
  seen            jsonb not null default '[]',
  created_at      timestamptz not null default clock_now(),
  verified_at     timestamptz,
  -- When the last look began. One that began earlier and ended later is not recorded.
  last_checked_at timestamptz,
  -- Null for a managed one: its records are the operator's.
  next_check_at   timestamptz,
  -- Until then somebody is probably at work in their DNS, and we look often.
  watched_until   timestamptz not null default clock_now() + interval '72 hours',
  -- Since when a verified domain lacks a record; it goes on receiving for a day.
  missing_since   timestamptz,
  -- What came in before stays readable, so the row stays.
  removed_at      timestamptz,
  check ((type = 'managed') = (next_check_at is null)),
  check (status = 'verified' or missing_since is null),
  check (status <> 'verified' or verified_at is not null)
);
create unique index receiving_domains_name_in_project on receiving_domains (project_id, name) where removed_at is null;
-- The line that decides who gets the mail for a name: of all projects of the installation, one.
create unique index receiving_domains_one_holder on receiving_domains (name)
  where status = 'verified' and removed_at is null;
create index on receiving_domains (next_check_at) where removed_at is null;
create index on receiving_domains (project_id, id);

-- None of the tables below has a foreign key, for the reason that emails have none: they are written by one room, in
-- one transaction, and every row would cost a locked look at another table.

-- What was accepted in one SMTP transaction, once, however many people it is for. The second half is what was read in it
-- afterwards.
create table received_messages (
  id            uuid primary key,
  -- Where the bytes are, exactly as they came; see storage/blobs.ts.
  blob          text not null,
  size          integer not null,
  -- Null for the null sender.
  envelope_from text,
  -- {address, helo, protocol, tls}: what the client was, and called itself.
  session       jsonb not null,
  received_at   timestamptz not null default clock_now(),
  state         text not null default 'unread' check (state in ('unread', 'read', 'unreadable')),
  -- How often somebody began to read it: what ends its reader again and again is left unread for good.
  attempts      smallint not null default 0,
  -- {from, to, cc, replyTo, subject, messageId, inReplyTo, references}
  letter        jsonb,
  headers       jsonb,
  html          text,
  text          text,
  stripped_text text,
  attachments   smallint not null default 0,
  -- {spf, dkim, dmarc, arc}
  auth          jsonb,
  spam_score    real,
  check ((state = 'read') = (letter is not null))
);
create index on received_messages (received_at);
create index on received_messages (id) where state = 'unread';
create index on received_messages (blob);

-- One for each recipient at a receiving domain.
create table received_emails (
  id          uuid primary key,
  project_id  uuid not null,
  domain_id   uuid not null,
  message_id  uuid not null,
  -- As it stood in the envelope, and as it is looked for.
  recipient   text not null,
  recipient_key text not null,
  -- Who wrote it, as it is looked for; null until the message was read, and where nobody says so.
  sender_key  text,
  -- Null until the message was read, or given up: before that it is shown to nobody.
  shown_at    timestamptz,
  received_at timestamptz not null default clock_now()
);
create index on received_emails (project_id, id) where shown_at is not null;
create index on received_emails (project_id, recipient_key, id) where shown_at is not null;
create index on received_emails (project_id, sender_key, id) where shown_at is not null;
create index on received_emails (message_id);

create table received_attachments (
  id           uuid primary key,
  message_id   uuid not null,
  position     smallint not null,
  filename     text,
  content_type text not null,
  content_id   text,
  disposition  text not null check (disposition in ('attachment', 'inline')),
  size         integer not null,
  -- The address of a blob is the SHA-256 of its bytes.
  blob         text not null,
  unique (message_id, position)
);
create index on received_attachments (blob);

-- Mail to return paths and to the address for complaints, each with the recipient that its token names.
create table received_reports (
  id          uuid primary key,
  message_id  uuid not null,
  -- Of a complaint null until it is read: its token is inside.
  email_id    uuid,
  position    smallint,
  -- What it came to, in a word or two, for whoever wonders.
  outcome     text,
  check ((email_id is null) = (position is null))
);
create index on received_reports (message_id);

-- postmaster@ and abuse@: for the operator.
create table operator_mail (
  id          uuid primary key,
  message_id  uuid not null,
  recipient   text not null,
  received_at timestamptz not null default clock_now()
);
create index on operator_mail (message_id);

-- The same message to the same recipient within an hour is one whose sender did not hear our answer.
create table received_lately (
  -- SHA-256 of sender, recipient and content.
  fingerprint bytea primary key,
  at          timestamptz not null default clock_now()
);
create index on received_lately (at);
