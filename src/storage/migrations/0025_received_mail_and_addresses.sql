-- Received mail had no bound but the disk: one sender could fill it through any address. Every project, and each mailbox
-- of the installation that everybody may write to, now has a count of the day, which is locked by whoever adds to it
-- until the message is committed, so that senders at the same moment cannot pass the limit together.
create table received_daily (
  -- The id of a project; `operator` and `complaints`, the mailboxes that belong to none, alone or with a network that
  -- writes to them; or `report` and the recipient whose mail is reported about.
  owner    text not null,
  day      date not null,
  messages integer not null,
  bytes    bigint not null,
  primary key (owner, day)
) with (fillfactor = 50);

-- The audit log is kept for ever, and had the addresses of people who were suppressed, or no longer. They may ask to be
-- forgotten, so entries have a mark instead from now on. Of the old ones the id of the suppression stays.
alter table audit_log disable trigger append_only;
update audit_log
   set details = (
         select coalesce(jsonb_object_agg(key, case when jsonb_typeof(value) = 'string'
                  then to_jsonb(regexp_replace(value #>> '{}', '[^\s@]+@[^\s@]+', '[address]', 'g')) else value end), '{}')
           from jsonb_each(details)
          where not (action like 'suppression.%' and key = 'email'))
 where details::text like '%@%';
alter table audit_log enable trigger append_only;
