-- Why a seat is out of the sale is in the event's trail. Few entries of a trail say so: they alone
-- are in this index, so that the last one about a seat is found without reading the sale.
create index audit_log_blocks on audit_log (chain_id, sequence)
  where action in ('seats_blocked', 'ticket_voided', 'ticket_refunded');
