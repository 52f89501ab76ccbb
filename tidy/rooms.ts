import { doorOf, isDoor, isHouse, type Place, placeOf, ROOM_ORDER } from './houses.ts';
import { fileRule, treeRule } from './rule.ts';
import { isCode, linesOf, type Source } from './source.ts';

/** Fewer lines than this cannot say what a room knows and what it must not know. */
const FEWEST_DOOR_LINES = 2;

/** A room that wants a sub-folder is two rooms. */
export const roomDepth = fileRule('room-depth', isCode, (source) => {
  const [house = '', ...rest] = source.file.split('/');
  if (!isHouse(house) || rest.length === 2 || isConfig(rest)) return [];
  return [{ line: 1, message: `code of a house stands in ${house}/<room>/<file>` }];
});

/** Tools look for their configuration at the top of a workspace and nowhere else. */
function isConfig(rest: readonly string[]): boolean {
  return rest.length === 1 && /\.config\.(?:ts|mjs)$/.test(rest[0] ?? '');
}

export const roomDoor = treeRule('room-door', (sources) => {
  const files = new Set(sources.map((source) => source.file));
  return roomsOf(sources)
    .map(doorOf)
    .filter((door) => !files.has(door))
    .map((file) => ({ file, line: 1, message: 'the room has no door, the file of its own name' }));
});

export const doorComment = fileRule('door-comment', isCode, (source) => {
  const place = placeOf(source.file);
  if (!place || !isDoor(place) || saysEnough(source)) return [];
  const message = `a door begins with a block comment (${FEWEST_DOOR_LINES} lines or more)`;
  return [{ line: 1, message: `${message} that says what the room knows` }];
});

function saysEnough(source: Source): boolean {
  const comment = /^\/\*\*[\s\S]*?\*\//.exec(source.text)?.[0] ?? '';
  const lines = linesOf({ file: source.file, text: comment });
  return lines.filter((line) => /\w/.test(line)).length >= FEWEST_DOOR_LINES;
}

/** Once per room, so that a new room is one complaint and not one per file. */
export const roomKnown = treeRule('room-known', (sources) =>
  roomsOf(sources)
    .filter(({ house, room }) => ROOM_ORDER[house]?.includes(room) === false)
    .map((place) => ({
      file: doorOf(place),
      line: 1,
      message: `unknown room: add "${place.room}" to the order in tidy/houses.ts`,
    })),
);

/** One place per folder of a house that holds code. */
function roomsOf(sources: readonly Source[]): Place[] {
  const rooms = new Map<string, Place>();
  for (const { file } of sources) {
    const place = isCode(file) ? placeOf(file) : undefined;
    if (place) rooms.set(doorOf(place), place);
  }
  return [...rooms.values()];
}
