-- A broadcast that is being sent, or paused, could only be paused for ever: now it can be cancelled. Whoever had no
-- message by then gets none, and counts as cancelled.

alter table broadcasts
  -- Of one that is cancelled: when none of its emails was under way any more.
  add column cleared_at timestamptz,
  drop constraint broadcasts_status_check,
  add constraint broadcasts_status_check
    check (status in ('draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled'));
alter table broadcast_counts add column cancelled bigint not null default 0;

-- The names of these two were given by the server.
do $$
declare
  old text;
begin
  for old in select conname
               from pg_constraint
              where conrelid = 'broadcasts'::regclass
                and contype = 'c'
                and (pg_get_constraintdef(oid) like '%sent%started_at%'
                     or pg_get_constraintdef(oid) like '%sent%completed_at%')
  loop
    execute format('alter table broadcasts drop constraint %I', old);
  end loop;
end $$;
alter table broadcasts
  add constraint broadcasts_started
    check ((status in ('sending', 'paused', 'sent', 'cancelled')) = (started_at is not null)),
  add constraint broadcasts_completed check ((status in ('sent', 'cancelled')) = (completed_at is not null)),
  add constraint broadcasts_cleared check (cleared_at is null or status = 'cancelled');
create index on broadcasts (id) where status = 'cancelled' and cleared_at is null;

-- A template could be deleted under a broadcast or an automation that names it. Whoever deletes one asks who that is.
create index on automation_mailings ((mailing ->> 'templateId')) where mailing ->> 'templateId' is not null;
create index on broadcasts (template_id) where template_id is not null and status = 'scheduled';

-- Whoever created a domain waited until the primes of its RSA key were found. A job makes keys ahead.
create table spare_dkim_keys (
  id          uuid primary key,
  -- As in domain_keys; sealed to this row until a domain takes it.
  record      text not null,
  private_key bytea not null
);

-- The SPF record of a return path now refers to one that the operator can change without asking anybody. Records of the
-- form that was asked for before stay good, so what was seen of them is still true.
update domains
   set seen = (
     select jsonb_agg(case look ->> 'purpose' when 'return-path-spf' then look || jsonb_build_object(
              'value', regexp_replace(look ->> 'value', '^v=spf1 a:', 'v=spf1 include:_spf.')) else look end order by no)
       from jsonb_array_elements(seen) with ordinality as looks (look, no))
 where jsonb_array_length(seen) > 0;
