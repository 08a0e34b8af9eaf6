-- A carrier that can be asked what became of a message is asked now and then, by whichever worker comes first.

alter table sms_parts add column looked_up_at timestamptz;
