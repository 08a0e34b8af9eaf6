-- Work that leaves us is leased to workers. This says who the workers are, and gives a table what it needs so that
-- its rows can be leased.

-- One row per worker that is at work. The heartbeat is dated by the clock of the machine, not by clock_now(): a test
-- that moves time must not kill anybody.
create table workers (
  id           uuid primary key,
  role         text not null,
  name         text not null,
  started_at   timestamptz not null default now(),
  heartbeat_at timestamptz not null default now()
) with (fillfactor = 50);

-- Makes a table a queue of dispatch: called once by the migration that creates the table, which brings `id uuid
-- primary key` and whatever else it needs. States beyond these four belong to the table's owner; dispatch neither
-- looks at such rows nor touches them.
--
--   waiting    not before due_at
--   ready      to be sent as soon as there is room
--   claimed    leased to a worker, nothing has left us yet
--   in_flight  leased to a worker, and it may have left us
--
-- Each index answers one question that is asked all the time: who has something ready, and which row comes first; which
-- rows are suspect, because two workers died with them; what has become due; what did a dead worker hold. Rows that
-- wait are in none but the third, so that a million of them for next week cost nothing today.
create function make_dispatch_queue(queue regclass) returns void language plpgsql as $$
begin
  execute format($ddl$
    alter table %s
      add column destination  text collate "C" not null check (destination <> ''),
      add column lane         smallint not null,
      add column state        text not null,
      add column due_at       timestamptz not null default clock_now(),
      add column lease_worker uuid,
      add column lease_no     integer not null default 0,
      add column crashes      smallint not null default 0 check (crashes >= 0),
      add check ((state in ('claimed', 'in_flight')) = (lease_worker is not null)),
      -- Every row is updated a few times and then deleted; waiting for a fifth of the table would be far too long.
      set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000,
           autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05)
  $ddl$, queue);
  execute format($ddl$create index on %s (lane, destination, id) where state = 'ready' and crashes < 2$ddl$, queue);
  execute format($ddl$create index on %s (id) where state = 'ready' and crashes >= 2$ddl$, queue);
  execute format($ddl$create index on %s (due_at) where state = 'waiting'$ddl$, queue);
  execute format($ddl$create index on %s (lease_worker) where state in ('claimed', 'in_flight')$ddl$, queue);
end $$;
