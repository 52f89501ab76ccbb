-- An event has every day from its beginning to its end: an exhibition lasts for months. Nodes of
-- 0.1.0 read such events as any other and refuse to write them.
-- contract: only widened since 0.1.0, which wrote at most sixty days
alter table events drop constraint events_days_check;
-- contract: only widened since 0.1.0, which wrote at most sixty days
alter table events add constraint events_days_check check (cardinality(days) between 1 and 366);
