-- Jobs are a queue of dispatch like any other. Before, they were in the tables of the package graphile-worker; what waits
-- there comes along, and its schema goes.

-- States beyond those of dispatch:
--
--   ended    given up; kept for a while with its reason
--
-- `destination` is the kind, or the kind and a queue of its jobs of which a node runs one at a time.
create table jobs (
  id           uuid primary key,
  kind         text not null check (kind <> ''),
  payload      json not null,
  key          text,
  failures     integer not null default 0 check (failures >= 0),
  max_attempts integer not null check (max_attempts > 0),
  last_error   text,
  created_at   timestamptz not null default clock_now(),
  ended_at     timestamptz
);
select make_dispatch_queue('jobs');
alter table jobs
  add check (state in ('waiting', 'ready', 'claimed', 'in_flight', 'ended')),
  add check ((state = 'ended') = (ended_at is not null));
create index on jobs (ended_at) where state = 'ended';

-- Of the jobs with one key at most one waits.
create unique index jobs_key on jobs (kind, key) where key is not null and state in ('waiting', 'ready');

-- A job that comes back, because it failed or its worker died, finds another one with its key waiting: it keeps its turn
-- and gives up the key.
create function leave_key_to_newer_job() returns trigger language plpgsql as $$
begin
  if exists (select from jobs where kind = new.kind and key = new.key and state in ('waiting', 'ready')) then
    new.key := null;
  end if;
  return new;
end $$;
create trigger leave_key_to_newer_job before update of state on jobs
  for each row
  when (new.key is not null and old.state in ('claimed', 'in_flight') and new.state in ('waiting', 'ready'))
  execute function leave_key_to_newer_job();

-- When each periodic job was last due, as far as somebody has enqueued it or decided that it is too late for it.
create table job_schedules (
  kind   text primary key,
  due_at timestamptz not null
);

do $$
begin
  if to_regclass('graphile_worker._private_jobs') is null then return; end if;

  -- Whoever is about to add a job has added it before we read, or fails.
  lock table graphile_worker._private_jobs in access exclusive mode;

  -- What runs at this moment runs again: whoever runs it can no longer finish it. An id begins with a time, as ours do,
  -- and goes on with the number that the job had. Times are those of the machine's clock.
  insert into jobs (id, kind, destination, lane, payload, key, state, due_at, failures, max_attempts, last_error,
                    created_at, ended_at)
  select (lpad(to_hex(floor(extract(epoch from j.created_at) * 1000)::bigint), 12, '0') || '70008'
            || lpad(to_hex(j.id), 15, '0'))::uuid,
         t.identifier, coalesce(q.queue_name, t.identifier), 0, j.payload, substr(j.key, length(t.identifier) + 2),
         case when is_over then 'ended' when j.run_at <= now() then 'ready' else 'waiting' end,
         j.run_at + (clock_now() - now()),
         case when j.locked_at is null then j.attempts else greatest(j.attempts - 1, 0) end,
         j.max_attempts, j.last_error,
         j.created_at + (clock_now() - now()),
         case when is_over then j.run_at + (clock_now() - now()) end
    from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
    left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
   cross join lateral (select j.attempts >= j.max_attempts and j.locked_at is null as is_over) as o;

  insert into job_schedules (kind, due_at)
  select identifier, coalesce(last_execution, known_since) + (clock_now() - now())
    from graphile_worker._private_known_crontabs;

  -- A node of version 0.1 that still runs goes on to enqueue by this name; its jobs are run by new nodes. It must not
  -- make its tables anew, and would unless their version is known.
  create temporary table known_migrations on commit drop as select * from graphile_worker.migrations;
  drop schema graphile_worker cascade;
  create schema graphile_worker;
  create table graphile_worker.migrations as select * from known_migrations;
  create function graphile_worker.add_job(identifier text, payload json, queue_name text, run_at timestamptz,
                                          max_attempts integer, job_key text) returns void language sql as $add$
    insert into jobs (id, kind, destination, lane, payload, key, state, due_at, max_attempts)
    values (gen_random_uuid(), identifier, coalesce(queue_name, identifier), 0, payload,
            substr(job_key, length(identifier) + 2), case when run_at <= now() then 'ready' else 'waiting' end,
            run_at + (clock_now() - now()), max_attempts)
    on conflict (kind, key) where key is not null and state in ('waiting', 'ready') do update
      set payload = excluded.payload, state = excluded.state, due_at = excluded.due_at,
          failures = 0, crashes = 0, last_error = null, max_attempts = excluded.max_attempts
  $add$;
end $$;
