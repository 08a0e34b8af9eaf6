-- Letters that are one letter in upper case: a suppression of `ΟΔΟΣ@…` did not hold for `οδοσ@…`, nor one of `straße@…` for
-- `STRASSE@…`. Addresses stay as they were written, because mail goes to them; what is compared is this.
create function address_fold(address text) returns text language sql immutable strict parallel safe as $$
  select replace(replace(translate(address, 'ςıµϐϑϕϖϰϱϵẛ', 'σiμβθφπκρεṡ'), 'ß', 'ss'), U&'i\0307', 'i')
$$;

create index suppressions_folded on suppressions (project_id, address_fold(email));

-- From now on a sigma at the end of a word is written as such, as upper case becomes lower case in Greek. Whoever was
-- stored in the other spelling must still be found; where both are there, both stay.
create function pg_temp.final_sigma(address text) returns text language sql immutable as $$
  select regexp_replace(address, '(?<=[a-zα-ωάέήίόύώϊϋΐΰ])σ(?![.'':^`]*[a-zα-ωάέήίόύώϊϋΐΰ])', 'ς', 'g')
$$;

update contacts c
   set email = pg_temp.final_sigma(email)
 where email like '%σ%'
   and pg_temp.final_sigma(email) <> email
   and not exists (select from contacts other
                    where other.project_id = c.project_id
                      and other.email = pg_temp.final_sigma(c.email)
                      and other.audience_id = c.audience_id);

update applied_tags t
   set email = pg_temp.final_sigma(email)
 where email like '%σ%'
   and pg_temp.final_sigma(email) <> email
   and not exists (select from applied_tags other
                    where other.tag_id = t.tag_id
                      and other.email = pg_temp.final_sigma(t.email));

update automation_runs r
   set email = pg_temp.final_sigma(email)
 where email like '%σ%'
   and pg_temp.final_sigma(email) <> email
   and not exists (select from automation_runs other
                    where other.automation_id = r.automation_id
                      and other.email = pg_temp.final_sigma(r.email));
