-- A person who has waiting mail tried at once must not have mail sent twice that may have left: it waits a minute, because its
-- outcome may still be found in the journal of the worker that is gone.

-- Makes a table a queue of dispatch, as in migration 0002, with one more column:
--
--   unknown_lease  the lease that ended without an outcome after the row may have left us. The next claim makes another
--                  lease, so that whatever is known of this one is over then.
alter function make_dispatch_queue(regclass) rename to make_dispatch_queue_0002;
create function make_dispatch_queue(queue regclass) returns void language plpgsql as $$
begin
  perform make_dispatch_queue_0002(queue);
  execute format('alter table %s add column unknown_lease integer', queue);
end $$;

alter table deliveries add column unknown_lease integer;
alter table webhook_deliveries add column unknown_lease integer;
alter table jobs add column unknown_lease integer;
alter table sms_parts add column unknown_lease integer;
alter table sms_simulations add column unknown_lease integer;

-- For how long the mail was held by pauses, all together: it is given up by the time for which it could have been tried.
alter table deliveries add column held_seconds integer not null default 0;

-- What servers answered is kept without the addresses in it: whoever reads numbers need not see to whom mail is sent.
update destination_replies
   set text = regexp_replace(text, '("[^"]*"|[^\s<>()"\[\],;]+)@(\[[^\]]*\]|[^\s<>()"\[\],;:]+)', '…@…', 'g')
 where text like '%@%';

-- How many mails a worker has in hand for a destination was never read; the column stays for nodes that still write it.
alter table destination_states alter column busy set default 0;
