-- What the lists of emails do not use any more. In the order in which requests lock the same tables.
drop index if exists emails_tags_idx;

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

drop index if exists deliveries_project_id_recipient_idx;
