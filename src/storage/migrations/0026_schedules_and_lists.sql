-- Mail that falls due in a paused project was shown as deferred and could not be cancelled any more, although no worker
-- had touched it. It is held without ever having been leased, and is scheduled for as long as that lasts.
create or replace view recipient_states as
  select email_id, position, project_id, recipient,
         case when state = 'in_flight' then 'sending'
              when lease_no > (state = 'claimed')::int then 'deferred'
              when state in ('waiting', 'held') then 'scheduled'
              else 'queued' end as state,
         attempts,
         case when state = 'waiting' then due_at end as next_attempt_at,
         updated_at
    from deliveries
   union all
  select email_id, position, project_id, recipient, state, attempts, null, updated_at
    from recipients;

-- A list of emails that was narrowed by two filters, or by a tag, read all mail of its project, or all mail with this tag
-- of everybody. Each filter has an index now that has its emails in the order of the list.
create index on emails (batch_id) where batch_id is not null;

create index on deliveries (project_id, recipient, email_id);
drop index deliveries_project_id_recipient_idx;

-- The number that stands for a tag: short, and what the tag says is not stored a second time.
create function email_tag(name text, value text) returns bigint language sql immutable strict parallel safe as $$
  select ('x' || left(encode(sha256(convert_to(name || ':' || value, 'UTF8')), 'hex'), 16))::bit(64)::bigint
$$;

-- One row for each tag of an email. Two tags may share a number, so the tags of the email itself are compared too.
create table email_tags (
  project_id uuid not null,
  tag        bigint not null,
  email_id   uuid not null,
  primary key (project_id, tag, email_id)
);
insert into email_tags (project_id, tag, email_id)
select distinct project_id, email_tag(key, value), id
  from emails
 cross join lateral jsonb_each_text(tags)
 where tags <> '{}';
drop index emails_tags_idx;
