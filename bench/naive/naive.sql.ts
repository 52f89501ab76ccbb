/** What a tutorial's schema has: keys, and what makes a seat's hold one. */
export const CREATE_TABLES = `
  create table if not exists naive_seats (
    event_id uuid not null, seat_id uuid not null, status text not null default 'available',
    hold_id uuid, held_until timestamptz, primary key (event_id, seat_id));
  create table if not exists naive_holds (
    hold_id uuid primary key default gen_random_uuid(), event_id uuid not null,
    seat_id uuid not null, user_id uuid not null, created_at timestamptz not null default now(),
    held_until timestamptz not null,
    foreign key (event_id, seat_id) references naive_seats (event_id, seat_id));
  grant select, insert, update on naive_seats, naive_holds to voelgoed_writer`;

/** The first seats of an event, free. */
export function fillSeats(eventId: string, count: number): string {
  return `insert into naive_seats (event_id, seat_id)
    select event_id, seat_id from event_seats where event_id = '${eventId}' and ordinal < ${count}`;
}

/** Not waiting for whoever has the seat now: they are about to get it. */
export const LOCK_SEAT = {
  name: 'lock_seat',
  text: `select status, held_until from naive_seats where event_id = $1 and seat_id = $2
    for update nowait`,
};

export const INSERT_HOLD = {
  name: 'insert_hold',
  text: `insert into naive_holds (event_id, seat_id, user_id, held_until)
    values ($1, $2, $3, now() + interval '10 minutes') returning hold_id, held_until`,
};

export const TAKE_SEAT = {
  name: 'take_seat',
  text: `update naive_seats set status = 'held', hold_id = $3, held_until = $4
    where event_id = $1 and seat_id = $2`,
};

/** Somebody else has locked the row. */
export const LOCK_NOT_AVAILABLE = '55P03';
