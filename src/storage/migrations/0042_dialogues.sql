-- What was said on the wire when an attempt failed, for a while: a reply alone does not say what it answers. By month like
-- events, so that forgetting is dropping a table.
create table dialogues (
  event_id   uuid not null,
  project_id uuid not null,
  -- The email, as in `events`, where the server that we talked to is, too.
  message_id uuid not null,
  -- [[milliseconds since the epoch, 0 for us or 1 for them, text], …]
  lines      json not null check (octet_length(lines::text) <= 4096),
  -- Of the content that was sent; the content itself is never here.
  bytes      integer not null check (bytes >= 0),
  at         timestamptz not null default clock_now()
) partition by range (at);
create index on dialogues (message_id, event_id);
create table dialogues_other partition of dialogues default;
select keep_months('dialogues', 'at', 30);

-- Until then what was said is also kept of mail that was taken.
alter table projects add column traced_until timestamptz;

-- Where the mail of a finished recipient went. Unknown for older rows.
alter table recipients add column destination text collate "C";
