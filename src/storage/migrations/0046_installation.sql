-- What an operator should know about the machines is looked at in the background and stored here, so that nobody who
-- opens a page waits for a DNS server, for a connection to another host or for the size of the database.

create table installation (
  only_row           boolean primary key default true check (only_row),
  -- {version, connections, limit, sizeBytes}, as somebody looked last.
  database           jsonb,
  database_looked_at timestamptz,
  -- Since when the connections have been nearly used up.
  database_full_since timestamptz,
  -- When a person last said that the master key is kept in a second place.
  backup_noted_at    timestamptz,
  backup_noted_by    uuid,
  check (backup_noted_by is null or backup_noted_at is not null)
);
insert into installation default values;

-- A node, as its supervisor sees it. It is written when a process comes or goes, and every few minutes.
create table nodes (
  -- The same after a restart: a node that crashed and came back is not two.
  id                  text primary key,
  name                text not null,
  version             text not null,
  started_at          timestamptz not null,
  -- [{role, up, since, restarts, restartedAt: [...]}]
  roles               jsonb not null,
  -- Of the disk with the data directory; null where it cannot be read.
  disk_free_bytes     bigint,
  disk_total_bytes    bigint,
  disk_low_since      timestamptz,
  -- When the certificate of the receiving mail server ends; null on nodes without one.
  certificate_ends_at timestamptz,
  seen_at             timestamptz not null default clock_now()
);

-- How a node that sends mail appears to the servers of others, as its worker saw it last.
create table node_hosts (
  id             text primary key,
  -- The name that it greets with.
  hostname       text not null,
  -- [{address, ptr, matches}]
  addresses      jsonb not null,
  has_name       boolean not null,
  name_since     timestamptz not null,
  outgoing       text not null check (outgoing in ('open', 'blocked', 'relay', 'unknown')),
  outgoing_since timestamptz not null,
  outgoing_at    timestamptz,
  looked_at      timestamptz not null default clock_now()
);

-- A draft says since when it is one again although its time had come.
alter table broadcasts add column problem_since timestamptz;
create index on broadcasts (project_id, id) where problem is not null;
