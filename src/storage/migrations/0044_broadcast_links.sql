-- Finding things: who did not get a broadcast and why, which links its readers followed, and things by their names.

-- Those who were in the audience when a broadcast started and get no email of it. The reason comes first, so that each
-- of them has its own list.
--   unsubscribed, suppressed   they were that when it started
--   deleted                    the contact was deleted before its email was made; it is among the recipients too
create table broadcast_left_out (
  broadcast_id uuid not null,
  because      text not null check (because in ('unsubscribed', 'suppressed', 'deleted')),
  contact_id   uuid not null,
  primary key (broadcast_id, because, contact_id)
);

-- The number that stands for an address on the web: short, whatever its length.
create function link_key(url text) returns bigint language sql immutable strict parallel safe as $$
  select ('x' || left(encode(sha256(convert_to(url, 'UTF8')), 'hex'), 16))::bit(64)::bigint
$$;

-- What people followed in the mail of a broadcast. Written in the order of its key, as the last of a transaction, so that
-- nobody waits in a ring.
create table broadcast_links (
  broadcast_id uuid not null,
  link         bigint not null,
  url          text not null,
  people       bigint not null,
  clicks       bigint not null,
  primary key (broadcast_id, link)
) with (fillfactor = 50);

-- Who followed which link before: a person counts once for each.
create table followed_links (
  email_id uuid not null,
  position smallint not null,
  link     bigint not null,
  primary key (email_id, position, link)
);

-- Things are found by the beginning of their name, whatever its case. Compared byte by byte, so that a prefix is a range.
create index templates_by_name on templates (project_id, (lower(name) collate "C"));
create index audiences_by_name on audiences (project_id, (lower(name) collate "C")) where deleted_at is null;
create index contact_tags_by_name on contact_tags (project_id, (lower(name) collate "C")) where deleted_at is null;
create index broadcasts_by_name on broadcasts (project_id, (lower(left(coalesce(name, subject, ''), 200)) collate "C"));
create index automations_by_name on automations (project_id, (lower(name) collate "C")) where deleted_at is null;
create index projects_by_name on projects (workspace_id, (lower(name) collate "C"));
create index api_keys_by_name on api_keys (workspace_id, (lower(name) collate "C")) where revoked_at is null;
create index domains_by_name on domains (project_id, (name collate "C")) where removed_at is null;
create index receiving_domains_by_name on receiving_domains (project_id, (name collate "C")) where removed_at is null;

-- The list of emails can be narrowed to a domain. Mail of the sandbox has none.
create index emails_of_domain on emails (project_id, domain_id, id) where domain_id is not null;
