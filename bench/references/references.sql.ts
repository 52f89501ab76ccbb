/** For the lock in Redis: nothing but the row that says who has the seat. */
export const CREATE_REFERENCE_TABLES = `
  create table if not exists locked_holds (
    hold_id uuid primary key default gen_random_uuid(), event_id uuid not null,
    seat_id uuid not null, user_id uuid not null, created_at timestamptz not null default now(),
    held_until timestamptz not null);
  grant select, insert on locked_holds to voelgoed_writer`;

/** Both tables of the plain way in one statement, which commits by itself, durably. */
export const HOLD_BY_STATEMENT = {
  name: 'hold_by_statement',
  text: `with seat as (
      update naive_seats set status = 'held', hold_id = gen_random_uuid(),
        held_until = now() + interval '10 minutes'
      where event_id = $1 and seat_id = $2 and status = 'available'
      returning event_id, seat_id, hold_id, held_until)
    insert into naive_holds (hold_id, event_id, seat_id, user_id, held_until)
    select hold_id, event_id, seat_id, $3, held_until from seat
    returning hold_id, held_until`,
};

export const INSERT_LOCKED_HOLD = {
  name: 'insert_locked_hold',
  text: `insert into locked_holds (event_id, seat_id, user_id, held_until)
    values ($1, $2, $3, now() + interval '10 minutes') returning hold_id, held_until`,
};
