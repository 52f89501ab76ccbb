-- Since when a ticket is inside is asked at the door when it comes a second time. The newest entry
-- is found by its ticket; the scans of a whole event would be read for it otherwise.
create index entries_ticket on entries (ticket_id, entry_id)
  where direction = 'in' and status = 'admitted';
