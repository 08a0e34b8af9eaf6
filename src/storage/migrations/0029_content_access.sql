-- A key that can send could read everything that was ever sent. It may now be made so that it sees the content of what
-- it sent itself only, or of nothing; so an email says which key sent it. Mail from before, and mail of broadcasts and
-- automations, was sent by no key.
alter table api_keys
  add column content_access text not null default 'all' check (content_access in ('all', 'own', 'none'));
-- For revoking a key together with those that it made.
create index on api_keys (created_by) where created_by is not null;

alter table emails add column key_id uuid;
