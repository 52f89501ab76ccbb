-- What somebody owns of an event is asked under the event's lock, when they want more of a zone for
-- members. No index that there was names event and user, so Postgres could read every ticket of the
-- organization.
create index tickets_owned on tickets (organization_id, event_id, user_id) where status = 'active';

-- How many seats a cart had when the engine chose them, or the buyer insisted on them. As long as
-- they are all there, nothing has been given back, and the checkout does not judge them again.
alter table seat_holds add column settled_seats integer check (settled_seats > 0);
