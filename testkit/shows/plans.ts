type ZoneWish = Readonly<Record<string, unknown>>;

/** A row of ten seats and a pit with room for five; say what should be different about either. */
export function aHybridHall(wanted: { stalls?: ZoneWish; pit?: ZoneWish } = {}): object {
  const seats = Array.from({ length: 10 }, (_, index) => ({
    label: `A-${index + 1}`,
    row: 'A',
    number: index + 1,
    coordinates: { x: index * 10, y: 0 },
  }));
  return {
    seat_size: 9,
    zones: [
      { name: 'Stalls', zone_type: 'reserved_seating', seats, ...wanted.stalls },
      { name: 'Pit', zone_type: 'ga_standing', capacity: 5, ...wanted.pit },
    ],
  };
}

/** A round table of six and a row of four. */
export function aTableAndARow(): object {
  const table = Array.from({ length: 6 }, (_, place) => {
    const angle = (place / 6) * 2 * Math.PI;
    const [x, y] = [30 * Math.cos(angle), 30 * Math.sin(angle)].map(Math.round);
    const about = { label: `T1-${place + 1}`, row: 'T1', number: place + 1 };
    return {
      ...about,
      order: place,
      coordinates: { x, y },
      ...(place === 0 ? { ring: true } : {}),
    };
  });
  const row = Array.from({ length: 4 }, (_, place) => {
    const about = { label: `B-${place + 1}`, row: 'B', number: place + 1 };
    return { ...about, coordinates: { x: place * 10, y: 100 } };
  });
  const seats = [...table, ...row];
  return { seat_size: 9, zones: [{ name: 'Hall', zone_type: 'reserved_seating', seats }] };
}

/** A row of ten: wheelchair spaces 1 and 3 with the companion seats 2 and 4, then six others. */
export function anAccessibleHall(): object {
  const categories = ['wheelchair', 'companion', 'wheelchair', 'companion'];
  const seats = Array.from({ length: 10 }, (_, index) => ({
    label: `A-${index + 1}`,
    row: 'A',
    number: index + 1,
    category: categories[index] ?? 'standard',
    coordinates: { x: index * 10, y: 0 },
  }));
  return { seat_size: 9, zones: [{ name: 'Stalls', zone_type: 'reserved_seating', seats }] };
}
