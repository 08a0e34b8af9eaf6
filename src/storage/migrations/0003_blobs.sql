-- Raw mail and attachments, for installations that do not give them to an S3-compatible store. The address of a blob
-- is the SHA-256 of its bytes, so the same attachment in many mails is stored once.

create table blobs (
  address bytea primary key,
  size    bigint not null generated always as (length(bytes)) stored,
  bytes   bytea not null,
  -- When somebody last wanted these bytes stored. Deletion goes by it: see `storage/blobs.ts`.
  put_at  timestamptz not null default clock_now(),
  check (address = sha256(bytes))
);

-- Not compressed: what is large is an attachment, and that is compressed already. Measured, PostgreSQL's own
-- compression made a 2 MB mail with an attachment no smaller and storing it take twice as long; text mail shrinks by
-- half for three times the time.
alter table blobs alter column bytes set storage external;
