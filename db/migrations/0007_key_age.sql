-- Keys are looked up one by one by their whole name. An index that also begins with the organization
-- looks as good to Postgres while it has no statistics, and then every lookup reads all keys of the
-- organization: 2,400 µs per hold with a key instead of 300.
drop index idempotency_keys_age;
create index idempotency_keys_age on idempotency_keys (created_at);
