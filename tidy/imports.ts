import ts from 'typescript';
import {
  CLOSED_TO_ENGINE,
  HOUSES,
  isDoor,
  isHouse,
  type Place,
  placeOf,
  ROOM_ORDER,
} from './houses.ts';
import { fileRule, type Rule } from './rule.ts';
import { isCode, isTest, lineOf, nodesOf, oncePerSource } from './source.ts';

type Importer = Readonly<{ file: string; place: Place | undefined; files: ReadonlySet<string> }>;

const OWN_ROOM = /^\.\/[^/]+\.\w+$/;
const OTHER_ROOM = /^#[a-z][a-z0-9-]*$/;
const OTHER_HOUSE = /^@voelgoed\/([a-z0-9-]+)\/[a-z0-9-]+$/;
const PACKAGE = /^(?:node:|@(?!voelgoed\/)[a-z0-9-]+\/)?[a-z0-9][\w./-]*$/;
const HTTP = /^(?:(?:node:)?http(?:s|2)?|fastify(?:-.*)?|@(?:fastify|scalar)\/.*|undici)$/;
const FOR_TESTS = ['testkit', 'faults'];

/** Which forms a specifier may have at all. */
export const importForm = importRule('import-form', (specifier, importer) => {
  if (PACKAGE.test(specifier) || OTHER_HOUSE.test(specifier)) return undefined;
  if (OTHER_ROOM.test(specifier)) return otherRoomComplaint(specifier, importer);
  const plain = specifier.replace(/\?.*$/, '');
  if (!OWN_ROOM.test(plain)) {
    return `"${specifier}" is none of ./file.ts, #room, @voelgoed/house/room, node:* or a package`;
  }
  const target = importer.file.replace(/[^/]*$/, plain.slice(2));
  return importer.files.has(target) ? undefined : `"${specifier}" is not in this folder`;
});

function otherRoomComplaint(specifier: string, { place }: Importer): string | undefined {
  if (!place) return `"${specifier}" only has a meaning inside a room`;
  if (specifier !== `#${place.room}`) return undefined;
  return `"${specifier}" is this room: import its files by "./"`;
}

/** The door names what the room gives away; a file behind it that uses it makes a circle. */
export const ownDoor = importRule('own-door', (specifier, { file, place }) => {
  if (!place || isDoor(place) || isTest(file)) return undefined;
  if (specifier !== `./${place.room}.ts`) return undefined;
  return `only tests use the room's own door: import the file behind "${specifier}"`;
});

/** Tests may look anywhere in their own house; what ships points down. */
export const roomOrder = importRule('room-order', (specifier, { file, place }) => {
  const order = place && ROOM_ORDER[place.house];
  if (!order || isTest(file) || !OTHER_ROOM.test(specifier)) return undefined;
  const other = order.indexOf(specifier.slice(1));
  if (other < 0) return `"${specifier}" is not in the order in tidy/houses.ts`;
  const own = order.indexOf(place.room);
  return other <= own ? undefined : `"${specifier}" comes after ${place.room}: imports point down`;
});

export const houseOrder = importRule('house-order', (specifier, { file, place }) => {
  const other = OTHER_HOUSE.exec(specifier)?.[1];
  if (other === undefined) return undefined;
  if (!isHouse(other)) return `"${other}" is no house: see tidy/houses.ts`;
  if (!place || mayImport(place.house, other)) return undefined;
  if (other === place.house) return `"${specifier}" is this house: import the room by "#"`;
  if (isTest(file) && FOR_TESTS.includes(other)) return undefined;
  return `${place.house} may not import ${other}: see the order in tidy/houses.ts`;
});

function mayImport(house: string, other: string): boolean {
  if (house === other) return false;
  if (house === 'testkit') return true;
  if (house === 'engine' && CLOSED_TO_ENGINE.includes(other)) return false;
  const order: readonly string[] = HOUSES;
  return order.indexOf(other) < order.indexOf(house);
}

export const engineWithoutHttp = importRule('engine-without-http', (specifier, { place }) => {
  if (place?.house !== 'engine' || !HTTP.test(specifier)) return undefined;
  return `"${specifier}" belongs to the server: the engine knows nothing of HTTP`;
});

function importRule(
  name: string,
  complain: (specifier: string, importer: Importer) => string | undefined,
): Rule {
  return fileRule(name, isCode, (source, files) => {
    const importer = { file: source.file, place: placeOf(source.file), files };
    return specifiersOf(source).flatMap((node) => {
      const message = complain(node.text, importer);
      return message === undefined ? [] : [{ line: lineOf(source, node), message }];
    });
  });
}

/** What any form of import names: static, dynamic, type only, and exports from elsewhere. */
const specifiersOf = oncePerSource((source): readonly ts.StringLiteralLike[] =>
  nodesOf(source)
    .map(specifierIn)
    .filter((node) => node !== undefined)
    .filter(ts.isStringLiteralLike),
);

function specifierIn(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return node.argument.literal;
  }
  const isDynamic =
    ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isDynamic ? node.arguments[0] : undefined;
}
