-- Received mail had no bound but the disk: one sender could fill it through any address. Every project, and each mailbox
-- of the installation that everybody may write to, now has a count of the day, which is locked by whoever adds to it
-- until the message is committed, so that senders at the same moment cannot pass the limit together.
create table received_daily (
  -- The id of a project; or `operator` and `complaints`, the mailboxes that belong to none.
  owner    text not null,
  day      date not null,
  messages integer not null,
  bytes    bigint not null,
  primary key (owner, day)
) with (fillfactor = 50);
