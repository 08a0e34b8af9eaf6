-- Strangers can write reports about a domain. Those whose mail proves which domain sent it (DMARC passes) are kept apart from
-- all others, so that advice can be given by them alone.

-- The registered domain that the mail is proven to come from; empty where nothing is proven.
alter table domain_reports add column sender text not null default '';
-- Of the server that handed the mail over. Where nothing is proven, it says whose part of the limits a report uses up.
alter table domain_reports add column network text not null default '';

alter table dmarc_sums add column sender text not null default '';
drop index dmarc_sums_key;
create unique index dmarc_sums_key
  on dmarc_sums (domain_id, day, reporter, sender, source, disposition, dkim_aligned, spf_aligned) nulls not distinct;

alter table tls_sums
  add column sender text not null default '',
  drop constraint tls_sums_pkey,
  add primary key (domain_id, day, reporter, sender, policy, failure, host);
-- How many addresses that were new the DNS is asked about for it.
alter table domain_reports add column asked integer not null default 0;

-- What reports have brought within a day is asked for with each that comes; without this all of two years were read.
create index on domain_reports (domain_id, received_at) include (sender, network, rows, asked);

-- Before the DNS was asked it is not known whose an address is: a warning must not take it for a stranger's.
alter table dmarc_sources
  drop constraint dmarc_sources_kind_check,
  add constraint dmarc_sources_kind_check check (kind in ('ours', 'known', 'stranger', 'unknown')),
  alter column kind set default 'unknown';
update dmarc_sources set kind = 'unknown' where kind = 'stranger' and ask_at <= clock_now();

-- New addresses are asked about before those that were asked about, and of new ones a limited number for a domain and day: no
-- single sender of reports may keep the DNS busy for all.
alter table dmarc_sources
  add column asked boolean not null default false,
  -- How often in a row the DNS did not say whose it is.
  add column unanswered smallint not null default 0;
update dmarc_sources set asked = true where ask_at > clock_now();
drop index dmarc_sources_ask_at_idx;
create index on dmarc_sources (asked, ask_at);
