import { seatingNumbers } from '@voelgoed/engine/allocation';
import { type Board, boardCounts } from '@voelgoed/engine/board';

/** How well the events in this node's memory are filled, all of them together. */
export function watchSeating(
  { gauge }: { gauge(name: string, help: string, read: () => number): void },
  boards: () => Board[],
): void {
  const numbers = () => seatingNumbers(boards().map(boardCounts));
  gauge(
    'voelgoed_seating_orphan_ratio',
    'Single free seats among all seats; below 0.05 is good, above 0.1 is not',
    () => numbers().orphan_ratio,
  );
  gauge(
    'voelgoed_seating_vip_utilisation',
    'VIP places that are held or sold',
    () => numbers().vip_utilisation,
  );
  gauge(
    'voelgoed_seating_accessibility_utilisation',
    'Wheelchair spaces among all seats that are held or sold',
    () => numbers().accessibility_utilisation,
  );
}
