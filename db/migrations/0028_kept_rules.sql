-- Something of an open checkout was given back since its seats were judged together: they are
-- judged again before they are paid for. A node that does not know the column judges as it did.
alter table checkouts add column given_back boolean not null default false;
