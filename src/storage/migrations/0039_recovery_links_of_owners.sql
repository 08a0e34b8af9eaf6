-- An owner can make a link for somebody who cannot sign in. Such a link ends when its maker loses their role, as the
-- invitations that they sent do.

alter table one_time_links add column made_by uuid;
create index on one_time_links (made_by) where made_by is not null;
