-- Letters that are one letter in upper case: a suppression of `ΟΔΟΣ@…` did not hold for `οδοσ@…`, nor one of `straße@…` for
-- `STRASSE@…`. Addresses stay as they were written, because mail goes to them; what is compared is this.
create function address_fold(address text) returns text language sql immutable strict parallel safe as $$
  select replace(replace(translate(address, 'ςıſµϐϑϕϖϰϱϵẛᲀᲁᲂᲃᲄᲅᲆᲇᲈ', 'σisμβθφπκρεṡвдосттъѣꙋ'), 'ß', 'ss'), U&'i\0307', 'i')
$$;

create index suppressions_folded on suppressions (project_id, address_fold(email));
-- By a pattern, because the planner looks how many addresses fit it; of `address_fold(email) <> email` it thinks that all do.
create index contacts_beyond_ascii on contacts (project_id, audience_id) where subscribed and email ~ '[^ -~]';

-- From now on a sigma at the end of a word is written as such and any other one is not, as upper case becomes lower case in
-- Greek: whether a letter stands before and behind it, where marks and signs such as `.` and `'` count for nothing. Whoever
-- was stored in the other spelling must still be found; where both are there, both stay.
create function pg_temp.final_sigma(address text) returns text language sql immutable as $$
  select regexp_replace(replace(address, 'ς', 'σ'),
                        '(?<=' || letter || sign || '*)σ(?!' || sign || '*' || letter || ')', 'ς', 'g')
    from (values (
      '[a-z\u00aa\u00b5\u00ba\u00df-\u00f6\u00f8-\u01ba\u01bc-\u01bf\u01c4-\u0293\u0296-\u02af\u0371-\u0373\u0377\u037b-\u037d\u0390'
      '\u03ac-\u03f5\u03f7-\u0481\u048a-\u052f\u1e00-\u1fbc\u1fbe\u1fc2-\u1fcc\u1fd0-\u1fdc\u1fe0-\u1fec\u1ff2-\u1ffc]',
      '[.'':^`\u00a8\u00ad\u00af\u00b4\u00b7\u00b8\u02b0-\u036f\u0375\u037a\u0384\u0385\u0483-\u0489\u1fbd\u1fbf-\u1fc1\u1fcd-\u1fcf'
      '\u1fdd-\u1fdf\u1fed-\u1fef\u1ffd\u1ffe\u2018\u2019\u2024\u2027]')) as classes (letter, sign)
$$;

update contacts c
   set email = pg_temp.final_sigma(email)
 where email ~ '[σς]'
   and pg_temp.final_sigma(email) <> email
   and not exists (select from contacts other
                    where other.project_id = c.project_id
                      and other.email = pg_temp.final_sigma(c.email)
                      and other.audience_id = c.audience_id);

update applied_tags t
   set email = pg_temp.final_sigma(email)
 where email ~ '[σς]'
   and pg_temp.final_sigma(email) <> email
   and not exists (select from applied_tags other
                    where other.tag_id = t.tag_id
                      and other.email = pg_temp.final_sigma(t.email));

update automation_runs r
   set email = pg_temp.final_sigma(email)
 where email ~ '[σς]'
   and pg_temp.final_sigma(email) <> email
   and not exists (select from automation_runs other
                    where other.automation_id = r.automation_id
                      and other.email = pg_temp.final_sigma(r.email));
