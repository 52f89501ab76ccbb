-- Lists of events in the order of time, for the public and for staff.
create index events_by_time on events (organization_id, starts_at, event_id);
