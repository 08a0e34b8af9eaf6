-- A list of emails that was narrowed by two filters, or by a tag, read all mail of its project, or all mail with this tag
-- of everybody. Each filter has an index now that has its emails in the order of the list. This takes as long as there is
-- mail: whatever must wait for readers, or makes them wait, is in a migration of its own.

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

-- Last, because nobody writes to these tables any more until it is committed.
create index on emails (batch_id) where batch_id is not null;
create index on deliveries (project_id, recipient, email_id);
