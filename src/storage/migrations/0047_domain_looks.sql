-- Whoever sets up a domain sits before the panel of whoever hosts its zone: the servers of the zone tell which panel that is.

-- Null until somebody has looked.
alter table domains add column name_servers text[];
