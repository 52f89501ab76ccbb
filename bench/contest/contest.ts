/**
 * Contests: servers under the same load, everybody in turn, round after round, so that what is
 * compared was measured in the same minutes. It knows processes with an address, their processor
 * time and the load; who takes part and what is promised is said by the suites.
 */
export { type Bench, type Server, type Sizes, settingsOf } from './bench.ts';
export { figuresOf, loadShare, ratioOf, stepFigures, strangeFigure } from './contest-figures.ts';
export { type Contestant, type Results, runContest } from './run-contest.ts';
export { type Turn, type TurnLoad, takeTurn } from './take-turn.ts';
export { withCast } from './with-cast.ts';
