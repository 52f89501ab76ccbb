-- What somebody owns of an event is asked under the event's lock, when they want more of a zone for
-- members. No index that there was names event and user, so Postgres could read every ticket of the
-- organization.
create index tickets_owned on tickets (organization_id, event_id, user_id) where status = 'active';
