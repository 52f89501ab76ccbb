-- Something of an open checkout was given back since its seats were judged together: they are
-- judged again before they are paid for. A node that does not know the column judges as it did.
alter table checkouts add column given_back boolean not null default false;

-- Staff have blocked a seat whose zone is closed, or used without its seats, by now: all of its
-- seats are blocked then, and this one stays so when they come back.
alter table event_seats add column kept_block boolean not null default false;

grant update (given_back) on checkouts to voelgoed_writer;
grant update (kept_block) on event_seats to voelgoed_jobs;
