import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'svelte/compiler';
import { describe, expect, it } from 'vitest';

const WEB = fileURLToPath(new URL('..', import.meta.url));
/** What a reader or a screen reader gets from an attribute. */
const READ = new Set(['alt', 'aria-label', 'confirm', 'label', 'placeholder', 'summary', 'title']);
/** The same in every language: units, and examples of what a field takes. */
const ALLOWED = new Set(['voelgoed_vriendinne', 'ms', 'https://', '{ "zones": [ … ] }']);

type Node = Readonly<{ type: string; start: number; [field: string]: unknown }>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const isWords = (text: unknown): text is string =>
  typeof text === 'string' && /\p{L}/u.test(text) && !ALLOWED.has(text.trim());

/** Words that are written into a template: as text, in what it chooses from, in its attributes. */
function literalWords(text: string): string[] {
  const found: string[] = [];
  const texts = (node: unknown) => {
    if (!isNode(node)) return;
    if (node.type === 'ConditionalExpression') {
      texts(node.consequent);
      texts(node.alternate);
    }
    if (node.type === 'LogicalExpression') texts(node.right);
    if (node.type === 'Literal' && isWords(node.value)) found.push(node.value);
    if (node.type === 'TemplateLiteral') {
      for (const part of node.quasis as { value: { cooked: string } }[]) {
        if (isWords(part.value.cooked)) found.push(part.value.cooked);
      }
    }
  };
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk);
    if (!isNode(node)) return;
    if (node.type === 'Text' && isWords(node.data)) found.push(node.data.trim());
    if (node.type === 'ExpressionTag') return texts(node.expression);
    if (node.type === 'Attribute' || node.type === 'StyleDirective') {
      if (READ.has(String(node.name))) walk(node.value);
      return;
    }
    for (const [name, inner] of Object.entries(node)) {
      if (name !== 'expression' && name !== 'metadata') walk(inner);
    }
  };
  walk(parse(text, { modern: true }).fragment);
  return found;
}

describe('templates', () => {
  const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.svelte') && !/(?:^|\/)(?:node_modules|dist|building-)/.test(file),
  );

  it('have no words of their own: all of them are in the files of words', () => {
    expect(files.length).toBeGreaterThan(100);
    const found = files.flatMap((file) =>
      literalWords(readFileSync(join(WEB, file), 'utf8')).map((words) => `${file}: ${words}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    ['<p>Not sold</p>', ['Not sold']],
    ['<p>{isSold ? "Sold" : t().free}</p>', ['Sold']],
    ['<p>{name ?? `no name`}</p>', ['no name']],
    ['<button aria-label="Close"></button>', ['Close']],
    ['<Dialog title={isNew ? "New" : t().old}></Dialog>', ['New']],
    ['{#if isSold}Sold{:else}·{/if}', ['Sold']],
    ['<p class="soft" data-kind="sold">{t().sold} · {price} →</p>', []],
    ['<input type="text" title={t().name} />', []],
  ])('would be found: %s', (text, words) => {
    expect(literalWords(text)).toEqual(words);
  });
});
