-- Whoever imports a file may say what its columns hold, by their titles; null where the titles themselves say it.

alter table contact_imports add column column_map jsonb check (column_map is null or format = 'csv');
