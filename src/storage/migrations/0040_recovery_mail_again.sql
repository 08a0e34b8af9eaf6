-- A job that could not send its recovery mail tries again, and must not be stopped by its own mark: the mark has the job.

alter table people add column link_mailed_by uuid;
