-- What people do with links in mail: they open, follow, unsubscribe, and choose what they want.

-- For each recipient that did anything. All of it is counted; what is told of is the first of each kind, and these
-- numbers say which one that was. Nothing is kept of where it came from.
create table engagements (
  email_id        uuid not null,
  position        smallint not null,
  project_id      uuid not null,
  opens           integer not null default 0,
  clicks          integer not null default 0,
  -- By what is no person: scanners, and proxies that fetch everything.
  machine_opens   integer not null default 0,
  machine_clicks  integer not null default 0,
  unsubscribed_at timestamptz,
  primary key (email_id, position)
);

-- The recipient of a mail, who holds a link and no key, may change what they get.
alter table audit_log drop constraint audit_log_actor_check;
alter table audit_log add constraint audit_log_actor_check check (actor in ('key', 'operator', 'recipient'));
