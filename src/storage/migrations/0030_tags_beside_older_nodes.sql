-- A node of version 0.1 that still runs beside a new one does not write down where its mail is found by a tag. It does not
-- say either which key has sent the mail, and a new node always does: nobody else pays for this.
create function tag_email() returns trigger language plpgsql as $$
begin
  insert into email_tags (project_id, tag, email_id)
  select new.project_id, email_tag(key, value), new.id
    from jsonb_each_text(new.tags)
      on conflict do nothing;
  return null;
end $$;
create trigger tagged after insert on emails
  for each row when (new.key_id is null and new.tags <> '{}') execute function tag_email();

-- What came in since the table was filled. The id of an email begins with the milliseconds of its creation.
insert into email_tags (project_id, tag, email_id)
select project_id, email_tag(key, value), id
  from emails
 cross join lateral jsonb_each_text(tags)
 where tags <> '{}'
   and id >= (select rpad(lpad(to_hex((extract(epoch from min(applied_at) - interval '1 hour') * 1000)::bigint), 12, '0'), 32, '0')::uuid
                from schema_migrations
               where name like '0026%')
    on conflict do nothing;
