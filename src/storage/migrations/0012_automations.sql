-- Automations: what happens to a person, step by step, from the moment that they join an audience or get a tag.

create table automations (
  id          uuid primary key,
  project_id  uuid not null references projects,
  name        text not null,
  enabled     boolean not null,
  reentry     text not null check (reentry in ('never', 'always')),
  -- The present one: whoever starts now starts with it, and finishes with it.
  version     integer not null check (version > 0),
  -- The trigger of the present version.
  audience_id uuid,
  tag_id      uuid,
  created_at  timestamptz not null default clock_now(),
  updated_at  timestamptz not null default clock_now(),
  -- From then on nobody sees it; a job stops its runs in pieces.
  deleted_at  timestamptz,
  check (num_nonnulls(audience_id, tag_id) = 1),
  check (deleted_at is null or not enabled)
);
create index on automations (project_id, id) where deleted_at is null;
create index on automations (audience_id) where enabled and audience_id is not null;
create index on automations (tag_id) where enabled and tag_id is not null;

create table automation_versions (
  automation_id uuid not null,
  version       integer not null,
  project_id    uuid not null,
  -- {trigger, sender, tracking, steps}, as they were written.
  definition    jsonb not null,
  -- What a run needs of them: the same without what mails say.
  plan          jsonb not null,
  created_at    timestamptz not null default clock_now(),
  primary key (automation_id, version)
);

-- What the email steps of a version say. A template is copied here: nobody who edits or deletes it changes what people
-- get who are under way.
create table automation_mailings (
  automation_id uuid not null,
  version       integer not null,
  step          text not null,
  project_id    uuid not null,
  mailing       jsonb not null,
  -- The copy that the mails of this day refer to; copies are forgotten when they are old enough.
  content_id    uuid,
  stored_at     timestamptz,
  primary key (automation_id, version, step)
);

-- waiting → completed | stopped | failed. No foreign keys: a million are made by one import.
create table automation_runs (
  id            uuid primary key,
  project_id    uuid not null,
  automation_id uuid not null,
  version       integer not null,
  -- Who is mailed. Of somebody with a tag and several contacts, the first that is subscribed.
  contact_id    uuid not null,
  -- Null once the contact is deleted.
  email         text collate "C",
  -- The trigger, if that is a tag: without it the run stops.
  tag_id        uuid,
  status        text not null default 'waiting' check (status in ('waiting', 'completed', 'stopped', 'failed')),
  stop_reason   text check (stop_reason in ('tag_removed', 'left_audience', 'unsubscribed', 'suppressed',
                                            'automation_deleted', 'contact_deleted', 'error')),
  -- Where it is, for whoever looks: the delay that it is in, or the step that comes next.
  step_id       text,
  -- The step that is done when it is due; null for the end.
  next_step     text,
  next_due_at   timestamptz,
  -- Due while its automation was disabled or its project paused: out of the way until that is over.
  parked        boolean not null default false,
  -- What it has sent and is still in the queue must not leave any more.
  recalled      boolean not null default false,
  attempts      smallint not null default 0,
  problem       text,
  -- [{stepId, type, at, result, …}], in the order of what happened.
  results       jsonb not null default '[]',
  emails        integer not null default 0,
  started_at    timestamptz not null default clock_now(),
  finished_at   timestamptz,
  check ((status = 'waiting') = (finished_at is null)),
  check ((status = 'waiting') = (next_due_at is not null)),
  check ((status in ('stopped', 'failed')) = (stop_reason is not null)),
  check (status <> 'waiting' or email is not null)
);
create index automation_runs_due on automation_runs (next_due_at) where status = 'waiting' and not parked;
create index on automation_runs (id) where parked;
-- The line that makes sure of it, whoever races: one active run per automation and person.
create unique index automation_runs_one_active on automation_runs (automation_id, email) where status = 'waiting';
create index on automation_runs (automation_id, email);
create index on automation_runs (automation_id, status, id);
create index on automation_runs (contact_id);
create index on automation_runs (tag_id, email) where tag_id is not null;

-- What has been counted, to be added up by whoever asks; a job adds up old rows into one. Triggers count, so no statement
-- can forget to. Rows are only ever added: counters that are updated are waited for, and whoever deletes a contact would
-- wait for them in another order than whoever removes a tag.
create table automation_counts (
  automation_id uuid not null,
  started       bigint not null,
  waiting       bigint not null,
  completed     bigint not null,
  stopped       bigint not null,
  failed        bigint not null,
  emails        bigint not null
);
create index on automation_counts (automation_id);

create function count_automation_runs() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into automation_counts
    select automation_id, count(*), count(*) filter (where status = 'waiting'),
           count(*) filter (where status = 'completed'), count(*) filter (where status = 'stopped'),
           count(*) filter (where status = 'failed'), sum(emails)
      from added group by automation_id;
  else
    insert into automation_counts
    select automation_id, 0, sum(sign * (status = 'waiting')::int), sum(sign * (status = 'completed')::int),
           sum(sign * (status = 'stopped')::int), sum(sign * (status = 'failed')::int), sum(sign * emails)
      from (select automation_id, status, emails, 1 as sign from added
             union all
            select automation_id, status, emails, -1 from removed) as moves
     group by automation_id
    having sum(sign * (status = 'waiting')::int) <> 0 or sum(sign * emails) <> 0;
  end if;
  return null;
end $$;

create trigger counted_in after insert on automation_runs
  referencing new table as added for each statement execute function count_automation_runs();
create trigger counted_again after update on automation_runs
  referencing new table as added old table as removed for each statement execute function count_automation_runs();
