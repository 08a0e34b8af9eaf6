-- Mail to contacts: written once, filled in for each of them when it leaves.

-- {declared, preview}: what a template declared, and the line that mail programs show beside the subject. Where this is
-- set, subject, html and text are templates.
alter table contents add column merge jsonb;

alter table emails
  add column contact_id   uuid,
  add column broadcast_id uuid,
  add column run_id       uuid,
  -- Of the automation's steps, the one that it was sent for.
  add column step         text;
-- The lines that make sure of it, whatever crashes: a contact gets a broadcast once, and a run does each step once.
create unique index emails_once_per_broadcast on emails (broadcast_id, contact_id) where broadcast_id is not null;
create unique index emails_once_per_step on emails (run_id, step) where run_id is not null;

alter table deliveries
  add column contact_id   uuid,
  add column broadcast_id uuid,
  add column run_id       uuid;
create index on deliveries (broadcast_id) where broadcast_id is not null;
