/**
 * Weeks: seven days of sales of the demo theatre, played on a board in memory by buyers who pick
 * seats, ask for the best or change their minds, to see how many single seats are left over. It
 * knows boards and allocation and no database; a seed repeats a week exactly.
 */
export { type Day, type Rules, simulateWeek } from './simulate-week.ts';
