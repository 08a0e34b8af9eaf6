-- Templates and every version they ever had: an email names the version it was made from.

create table templates (
  id         uuid primary key,
  project_id uuid not null references projects,
  name       text not null,
  alias      text,
  subject    text not null,
  html       text not null,
  text       text not null,
  variables  jsonb not null default '[]',
  -- Which starter it was made from, if any.
  starter    text,
  version    integer not null default 1 check (version > 0),
  created_at timestamptz not null default clock_now(),
  updated_at timestamptz not null default clock_now()
);
create unique index templates_alias on templates (project_id, alias) where alias is not null;
create unique index templates_starter on templates (project_id, starter) where starter is not null;
create index on templates (project_id, id);

create table template_versions (
  template_id uuid not null,
  version     integer not null,
  project_id  uuid not null references projects,
  subject     text not null,
  html        text not null,
  text        text not null,
  variables   jsonb not null,
  created_at  timestamptz not null default clock_now(),
  primary key (template_id, version)
);
