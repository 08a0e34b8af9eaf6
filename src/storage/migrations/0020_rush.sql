-- Mail that poured in, and is read a little later. It has no job of its own: a job for every few messages, and a worker
-- that is woken by each, cost the server that takes mail a fifth of its speed. Whoever finds a message here makes its job.
alter table received_messages add column waits boolean not null default false;
create index received_messages_waiting on received_messages (received_at) where waits;
