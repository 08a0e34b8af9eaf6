-- Nobody waits for a counter any more.
--
-- A counter row was chosen by the number of the connection, so two connections could share one, and the second waited
-- until the transaction of the first was over. A transaction of several statements may hold a counter and then want a
-- contact; somebody who holds that contact may want the counter: a ring, which the database breaks by failing one of the
-- two. Now whoever counts takes any row that is free, and makes another one where none is. There are never more rows than
-- transactions that once counted at the same time; whoever asks still adds them up.

create sequence counter_shards start 16;
alter table audience_counts alter column shard type bigint;
alter table tag_counts alter column shard type bigint;

create function add_to_audience(audience uuid, more bigint, more_subscribed bigint) returns void language plpgsql as $$
declare
  free bigint;
begin
  select shard into free
    from audience_counts
   where audience_id = audience
   order by shard
   limit 1
     for update skip locked;
  if found then
    update audience_counts
       set total = total + more, subscribed = subscribed + more_subscribed
     where audience_id = audience and shard = free;
  else
    insert into audience_counts (audience_id, shard, total, subscribed)
    values (audience, nextval('counter_shards'), more, more_subscribed);
  end if;
end $$;

create or replace function count_contacts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_to_audience(audience_id, more, more_subscribed)
       from (select audience_id, count(*) as more, count(*) filter (where added.subscribed) as more_subscribed
               from added group by audience_id) as moves;
  elsif tg_op = 'DELETE' then
    perform add_to_audience(audience_id, -less, -less_subscribed)
       from (select audience_id, count(*) as less, count(*) filter (where removed.subscribed) as less_subscribed
               from removed group by audience_id) as moves;
  else
    perform add_to_audience(audience_id, 0, more_subscribed)
       from (select audience_id, sum(more) as more_subscribed
               from (select audience_id, subscribed::int as more from added
                      union all
                     select audience_id, -subscribed::int from removed) as each
              group by audience_id having sum(more) <> 0) as moves;
  end if;
  return null;
end $$;

create function add_to_tag(tag uuid, more bigint) returns void language plpgsql as $$
declare
  free bigint;
begin
  select shard into free
    from tag_counts
   where tag_id = tag
   order by shard
   limit 1
     for update skip locked;
  if found then
    update tag_counts set total = total + more where tag_id = tag and shard = free;
  else
    insert into tag_counts (tag_id, shard, total) values (tag, nextval('counter_shards'), more);
  end if;
end $$;

create or replace function count_applied_tags() returns trigger language plpgsql as $$
begin
  perform add_to_tag(tag_id, case when tg_op = 'INSERT' then moves.count else -moves.count end)
     from (select tag_id, count(*) from moved group by tag_id) as moves;
  return null;
end $$;
