/** One demo event: its hall by a preset of the generator, and what a place costs by zone name. */
export type Show = Readonly<{
  slug: string;
  name: string;
  description: string;
  venue: string;
  preset: Readonly<Record<string, unknown>>;
  /** Days from now until it begins, and how many days it lasts. */
  inDays: number;
  lasts: number;
  prices: Readonly<Record<string, number>>;
  otherPrice: number;
  /** Zones for members of this tier alone. */
  members?: Readonly<Record<string, string>>;
}>;

export const SHOWS: readonly Show[] = [
  {
    slug: 'theatre',
    name: 'An Evening at the Theatre',
    description: 'Stalls, a balcony, wheelchair spaces, and a box for the vriendinne.',
    venue: 'Voelgoed Theatre',
    preset: { preset: 'theatre', rows: 18, balcony_rows: 6 },
    inDays: 30,
    lasts: 1,
    prices: { Stalls: 35_000, Balcony: 22_000, Box: 60_000 },
    otherPrice: 25_000,
    members: { Box: 'voelgoed_vriendinne' },
  },
  {
    slug: 'festival',
    name: 'Two Days of Music',
    description: 'Reserved seats, a floor, a standing pit and a VIP deck, for both days.',
    venue: 'Voelgoed Fields',
    preset: { preset: 'festival' },
    inDays: 60,
    lasts: 2,
    prices: { Orchestra: 15_000, Floor: 10_000, Pit: 8_000, 'VIP Lounge': 30_000 },
    otherPrice: 10_000,
  },
  {
    slug: 'arena',
    name: 'Arena Night',
    description: 'Twenty thousand seats around a field.',
    venue: 'Voelgoed Arena',
    preset: { preset: 'arena', seats: 20_000 },
    inDays: 90,
    lasts: 1,
    prices: {},
    otherPrice: 45_000,
  },
];

export const STADIUM: Show = {
  slug: 'stadium',
  name: 'Stadium Final',
  description: 'A hundred thousand seats.',
  venue: 'Voelgoed Stadium',
  preset: { preset: 'arena', seats: 100_000 },
  inDays: 120,
  lasts: 1,
  prices: {},
  otherPrice: 55_000,
};
