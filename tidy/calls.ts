import ts from 'typescript';
import { fileRule, type Rule } from './rule.ts';
import {
  dottedName,
  isCode,
  isMember,
  isTestChain,
  lineOf,
  memberName,
  nodesOf,
  type Source,
} from './source.ts';

const KIT = /^(?:engine\/kit|client\/host)\//;
/** Scripts run before any package is installed, so they cannot take a Clock. */
const KIT_AND_SCRIPTS = /^(?:engine\/kit|client\/host|scripts)\//;
const READS_ENVIRONMENT = /^(?:server\/processes\/|testkit\/|scripts\/|(?:.*\/)?vitest\.config\.)/;
const WRITES_CONSOLE = /^(?:server\/processes\/|testkit\/|scripts\/|faults\/|bench\/)/;

const TIME_AND_CHANCE = ['Date.now', 'Math.random', 'performance.now'];
const LEFT_OUT = ['only', 'skip', 'todo'];

/** Time, randomness and ids are handed in, so that a seed or a simulator can own them. */
export const timeAndChance = nodeRule('time-and-chance', KIT_AND_SCRIPTS, (node) => {
  if (isMember(node) && TIME_AND_CHANCE.includes(dottedName(node) ?? '')) {
    return `${dottedName(node)} belongs to engine/kit: take a Clock or a Random`;
  }
  if (isBareDate(node)) return 'a new Date() without argument reads the time: take a Clock';
  return isRandomUuid(node) ? 'randomUUID belongs to engine/kit: take uuidv7' : undefined;
});

function isBareDate(node: ts.Node): boolean {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return false;
  return dottedName(node.expression) === 'Date' && (node.arguments ?? []).length === 0;
}

function isRandomUuid(node: ts.Node): boolean {
  if (isMember(node)) return memberName(node) === 'randomUUID';
  return ts.isCallExpression(node) && dottedName(node.expression) === 'randomUUID';
}

export const environment = nodeRule('environment', READS_ENVIRONMENT, (node) => {
  if (!isMember(node) || dottedName(node) !== 'process.env') return undefined;
  return 'only server/processes reads process.env: take a setting';
});

export const consoleCalls = nodeRule('console', WRITES_CONSOLE, (node) => {
  if (!isMember(node) || dottedName(node.expression) !== 'console') return undefined;
  return `${dottedName(node) ?? 'console'} is for processes: take a logger`;
});

/** A sleep hides what is waited for; where one is right it goes through the Timers port. */
export const sleeps = nodeRule('sleep', KIT, (node) => {
  if (!isSleepImport(node) && !isSleep(node)) return undefined;
  return 'a sleep belongs to engine/kit: take Timers, or wait for the thing itself';
});

function isSleepImport(node: ts.Node): boolean {
  if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) return false;
  return node.moduleSpecifier.text === 'node:timers/promises';
}

/** `new Promise((resolve) => … setTimeout(resolve, …))`, with or without a function around it. */
function isSleep(node: ts.Node): boolean {
  if (!ts.isNewExpression(node) || dottedName(node.expression) !== 'Promise') return false;
  const executor = node.arguments?.[0];
  if (!executor || !isFunction(executor)) return false;
  const resolve = executor.parameters[0]?.name;
  if (!resolve || !ts.isIdentifier(resolve)) return false;
  return someNode(executor.body, (inner) => isTimerThatCalls(inner, resolve.text));
}

function isTimerThatCalls(node: ts.Node, resolve: string): boolean {
  if (!ts.isCallExpression(node) || dottedName(node.expression) !== 'setTimeout') return false;
  const callback = node.arguments[0];
  if (!callback) return false;
  if (!isFunction(callback)) return dottedName(callback) === resolve;
  return someNode(callback.body, (inner) => isEmptyCallOf(inner, resolve));
}

/** A timer that resolves to a value ends a wait for something else: that is no sleep. */
function isEmptyCallOf(node: ts.Node, name: string): boolean {
  if (!ts.isCallExpression(node) || node.arguments.length > 0) return false;
  return dottedName(node.expression) === name;
}

function isFunction(node: ts.Node): node is ts.ArrowFunction | ts.FunctionExpression {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}

function someNode(node: ts.Node, holds: (node: ts.Node) => boolean): boolean {
  return holds(node) || ts.forEachChild(node, (child) => someNode(child, holds)) === true;
}

/** A test that is left out proves nothing and looks as if it did. */
export const leftOutTests = nodeRule('left-out-test', undefined, (node) => {
  if (!isMember(node) || !LEFT_OUT.includes(memberName(node) ?? '')) return undefined;
  return isTestChain(node) ? `.${memberName(node)} leaves tests out` : undefined;
});

function nodeRule(
  name: string,
  allowed: RegExp | undefined,
  complain: (node: ts.Node) => string | undefined,
): Rule {
  const applies = (file: string) => isCode(file) && !allowed?.test(file);
  return fileRule(name, applies, (source: Source) =>
    nodesOf(source).flatMap((node) => {
      const message = complain(node);
      return message === undefined ? [] : [{ line: lineOf(source, node), message }];
    }),
  );
}
