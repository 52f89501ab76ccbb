import { fileRule } from './rule.ts';
import { lineAt, type Source } from './source.ts';

/** The last migration of 0.1.0. Those up to it made the first schema; no older node was there. */
const LAST_OF_FIRST_RELEASE = 16;

/** `-- contract: unused since 0.2.0, when tickets got a code of their own` */
const CONTRACT = /^[ \t]*--[ \t]*contract:(?=.*\b\d+\.\d+\.\d+\b)(?:[ \t]+\S+){3}/im;

type Statement = Readonly<{
  /** Where it begins, after the comments before it. */
  start: number;
  /** With comments, for the word that allows it. */
  whole: string;
  /** In small letters, one space between words, without comments, strings and bodies. */
  plain: string;
}>;

/**
 * Nodes of the last release serve on the schema of this one: a migration only adds. What takes
 * something away or refuses what was good says since which version nothing uses it.
 */
export const expandOnly = fileRule('expand-only', isNewMigration, (source) => {
  const statements = statementsOf(source);
  const own = new Set(statements.flatMap(({ plain }) => createdName(plain)));
  return statements
    .filter(({ whole }) => !CONTRACT.test(whole))
    .flatMap((one) =>
      complaintsAbout(one.plain, own).map((what) => ({
        line: lineAt(source, one.start),
        message: `${what}, and nodes of the last release would fail: see docs/upgrade.md`,
      })),
    );
});

function isNewMigration(file: string): boolean {
  const [, number] = /^db\/migrations\/(\d+)_[^/]*\.sql$/.exec(file) ?? [];
  return number !== undefined && Number(number) > LAST_OF_FIRST_RELEASE;
}

/** What this migration makes itself, no older node can know. */
function createdName(plain: string): string[] {
  const [, name] = CREATED.exec(plain) ?? [];
  return name === undefined ? [] : [name];
}

const CREATED =
  /^create (?:(?:unlogged )?table|function|procedure|view|sequence) (?:if not exists )?([\w."]+)/;

/** Wherever it stands: also inside a block of code that is run. */
const TAKES_AWAY: readonly (readonly [RegExp, string])[] = [
  [
    /\bdrop (?:(?:foreign )?table|(?:materialized )?view|function|procedure|routine|aggregate)\b/,
    'drops something',
  ],
  [/\bdrop (?:type|domain|schema|sequence|extension|role|user|owned)\b/, 'drops something'],
  [/\bdrop (?:policy|trigger|rule|cast|operator|collation)\b/, 'drops something'],
  [/^truncate\b/, 'empties a table'],
  [/^alter (?!index\b).*\brename\b/, 'renames something'],
  [/^alter .*\bset schema\b/, 'moves something to another schema'],
  [/^alter domain \S+ (?:add\b|set not null\b)/, 'makes a rule for rows that others write'],
  [/^create or replace (?!trigger\b|rule\b)/, 'changes what others call'],
];

/** What is no matter to others when this migration has made the table or function itself. */
const NARROWS: readonly (readonly [RegExp, string])[] = [
  [/^alter policy .+? on ([\w."%]+)/, 'changes which rows others may use'],
  [/^create policy .+? on ([\w."%]+) as restrictive\b/, 'changes which rows others may use'],
  [/^create (?:or replace )?(?:constraint )?trigger .+? on ([\w."%]+)/, 'acts on others’ rows'],
  [/^create (?:or replace )?rule .+? to ([\w."%]+)/, 'acts on others’ rows'],
  [/\bdelete from (?:only )?([\w."%]+)/, 'deletes rows that others use'],
];

const SERVED = /\bfrom [^;]*\b(?:public|voelgoed_(?:app|jobs|lookup|writer))\b/;
const REVOKED = /^revoke .+? on (?:(?:table|function|procedure|sequence) )?(.+?) from /;
/** Lent to it for the time of a migration. */
const GIVEN_BACK = /^revoke create on schema public from voelgoed_lookup$/;

function takesRight(plain: string, own: ReadonlySet<string>): boolean {
  if (!/^revoke\b/.test(plain) || !SERVED.test(plain) || GIVEN_BACK.test(plain)) return false;
  const [, names = ''] = REVOKED.exec(plain) ?? [];
  return !partsOf(names, ',').every((name) => own.has(name.replace(/ ?\(.*/, '')));
}

function complaintsAbout(plain: string, own: ReadonlySet<string>): string[] {
  const found = TAKES_AWAY.filter(([pattern]) => pattern.test(plain)).map(([, what]) => what);
  for (const [pattern, what] of NARROWS) {
    const [, target] = pattern.exec(plain) ?? [];
    if (target !== undefined && !own.has(target)) found.push(what);
  }
  if (takesRight(plain, own)) found.push('takes a right away');
  const [, index] = /^create unique index .*?\bon (?:only )?([\w."]+)/.exec(plain) ?? [];
  if (index !== undefined && !own.has(index)) found.push('makes a rule for rows that others write');
  const [, table = '', actions] =
    /^alter table (?:if exists )?(?:only )?(\S+) (.*)$/.exec(plain) ?? [];
  if (actions === undefined || own.has(table)) return found;
  return [...found, ...partsOf(actions, ',').flatMap(complaintsAboutAction)];
}

const ADDS_RULE = /^add (?:constraint|check|unique|primary key|foreign key|exclude)\b/;

/** One action of ALTER TABLE. A constraint may go: what was good before still is. */
function complaintsAboutAction(action: string): string[] {
  if (ADDS_RULE.test(action)) return ['makes a rule for rows that others write'];
  if (/^add\b/.test(action)) return complaintsAboutColumn(action);
  if (/^drop (?!constraint\b)/.test(action)) return ['drops a column'];
  if (/^enable\b/.test(action)) return ['acts on others’ rows'];
  if (!/^alter\b/.test(action)) return [];
  const change = action.replace(/^alter (?:column )?\S+ /, '');
  if (/^(?:set data )?type\b/.test(change)) return ['changes the type of a column'];
  if (/\b(?:add|set) generated always\b/.test(action)) return ['refuses rows with a value'];
  if (/\bset not null\b/.test(action)) return ['refuses rows without a value'];
  return /\bdrop (?:default|identity|expression)\b/.test(action) ? ['takes a default away'] : [];
}

/** Old nodes do not name the new column when they insert. */
function complaintsAboutColumn(action: string): string[] {
  const filled = /\b(?:default|generated|(?:small|big)?serial)\b/.test(action);
  if (/\bnot null\b/.test(action) && !filled) return ['adds a column that must have a value'];
  const repeated = /\bdefault\b/.test(action) && /\b(?:unique|primary key)\b/.test(action);
  return repeated ? ['makes a rule for rows that others write'] : [];
}

/** Comments and quoted texts become blanks, so that what is left is at the same place. */
const COMMENT = /--[^\n]*|\/\*[\s\S]*?\*\//;
const BODY = /\$(\w*)\$[\s\S]*?\$\1\$/;
const STRING = /'(?:[^']|'')*'/;
const INVISIBLE = new RegExp([COMMENT, STRING].map(({ source }) => source).join('|'), 'g');
const HIDDEN = new RegExp([COMMENT, STRING, BODY].map(({ source }) => source).join('|'), 'g');

function statementsOf({ text }: Source): Statement[] {
  const shown = text.replace(HIDDEN, (part, _tag, at: number) => {
    const isRun = part.startsWith('$') && /\bdo\s*(?:language \w+\s*)?$/i.test(text.slice(0, at));
    return isRun ? opened(part) : blank(part);
  });
  // In a block that is run a reason stands above the line that executes a text.
  const ends = text.replace(INVISIBLE, blank);
  let start = 0;
  return partsOf(shown, ';').flatMap((part) => {
    const from = start;
    start += part.length + 1;
    const plain = part.trim().replace(/\s+/g, ' ').toLowerCase();
    if (plain === '') return [];
    const begins = from + part.search(/\S/);
    const begun = ends.lastIndexOf(';', begins - 1) + 1;
    return [{ start: begins, whole: text.slice(begun, from + part.length), plain }];
  });
}

const blank = (part: string) => part.replace(/[^\n]/g, ' ');

/** A body of DO is run by the migration: what it does, or has done by EXECUTE, are statements. */
function opened(body: string): string {
  return body
    .replace(new RegExp(COMMENT, 'g'), blank)
    .replace(/[$'"]/g, ';')
    .replace(/[()]/g, ' ')
    .replace(/\b(?:begin|then|else|loop|execute)\b/gi, (word) => ';'.padStart(word.length));
}

/** Split where the separator stands outside of parentheses. */
function partsOf(text: string, separator: ',' | ';'): string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of text) {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter === separator && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return separator === ',' ? parts.map((part) => part.trim()) : parts;
}
