-- The list of emails can be narrowed to those of broadcasts or of automations. Whoever sends neither pays nothing for it.
create index emails_of_mailings on emails (project_id, (broadcast_id is null), id)
 where broadcast_id is not null or run_id is not null;

-- The activity log is read by project and by what an entry is about.
create index on audit_log (workspace_id, project_id, id);
create index on audit_log (workspace_id, subject, id);
