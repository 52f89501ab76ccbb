-- Lists of events and dashboards say how many valid tickets there are and what they cost together:
-- both are in this index, so that the tickets themselves are not read for it.
create index tickets_counted on tickets (organization_id, event_id) include (price_cents)
  where status = 'active';
