-- A backup that is restored must not send by itself: what was due when it was made may have left long ago. So the
-- installation remembers where its database lives, and holds sending when the database turns out to be a copy. An
-- operator can hold it as well, and nobody else lets it go on.

create table sending (
  only_row           boolean primary key default true check (only_row),
  held_since         timestamptz,
  held_because       text,
  -- Where the database lived when somebody last looked; null is what nobody could tell. The server, by its system
  -- identifier, which a standby shares; the database, which is another one where it was created anew; and this table,
  -- which is another one where a dump was read into the same database.
  server             text,
  database_oid       oid,
  table_oid          oid,
  -- For the embedded server: the birth and the inode of a file that it never replaces, and that every copy makes anew.
  control_file_born  text,
  control_file_inode text,
  check ((held_since is null) = (held_because is null))
);
insert into sending default values;

-- Asked by every claim. A database that was exchanged under the feet of running workers is one that nobody has looked
-- at yet: they stop before anybody notices.
create function sending_is_on() returns boolean language sql stable as $$
  select held_since is null
         and coalesce(table_oid = tableoid, true)
         and coalesce(database_oid = (select oid from pg_database where datname = current_database()), true)
    from sending
$$;
