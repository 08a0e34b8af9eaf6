-- Recipients that a project must not mail, whoever asks for it.

create table suppressions (
  id         uuid primary key,
  project_id uuid not null references projects,
  email      text not null,
  reason     text not null check (reason in ('bounce', 'spam', 'manual')),
  -- The email whose fate caused it, for automatic ones.
  message_id uuid,
  note       text,
  created_at timestamptz not null default clock_now(),
  unique (project_id, email)
);
create index on suppressions (project_id, id);
