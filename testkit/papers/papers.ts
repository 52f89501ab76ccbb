/**
 * Papers: what is on the pages of a PDF that Chromium has made, as texts. It knows as much of the
 * format as Chromium writes, and says so when it meets anything else.
 */
import { inflateSync } from 'node:zlib';

type Parsed = Readonly<{ head: string; stream: Buffer | null }>;

/** The text of each page, without the spaces that are only distance. */
export function textsOfPdf(pdf: Buffer): string[] {
  const objects = objectsOf(pdf);
  const at = (reference: string | undefined): Parsed => {
    const found = objects.get(Number(reference));
    if (!found) throw new Error(`the PDF has no object ${reference}`);
    return found;
  };
  const pages = [...objects.values()].filter(({ head }) => /\/Type\s*\/Page\b/.test(head));
  const fonts = new Map<string, ReadonlyMap<number, string>>();
  const fontOf = (reference: string) => {
    const known = fonts.get(reference) ?? lettersOf(at(reference), at);
    fonts.set(reference, known);
    return known;
  };
  return pages.map(({ head }) => {
    const own = /\/Resources\s+(\d+) 0 R/.exec(head);
    const resources = own ? at(own[1]).head : head;
    const named = /\/Font\s*<<([^>]*)>>/.exec(resources)?.[1] ?? '';
    const letters = new Map(
      [...named.matchAll(/\/(\S+)\s+(\d+) 0 R/g)].map(([, name = '', one = '']) => [name, one]),
    );
    const content = at(/\/Contents\s+(\d+) 0 R/.exec(head)?.[1]).stream?.toString('latin1') ?? '';
    return textOf(content, (name) => fontOf(letters.get(name) ?? ''));
  });
}

function objectsOf(pdf: Buffer): Map<number, Parsed> {
  const text = pdf.toString('latin1');
  const objects = new Map<number, Parsed>();
  for (let from = 0; ; ) {
    const begin = /(\d+) 0 obj\b/g;
    begin.lastIndex = from;
    const found = begin.exec(text);
    if (!found) return objects;
    const start = begin.lastIndex;
    const end = text.indexOf('endobj', start);
    const stream = text.indexOf('stream', start);
    const length = Number(/\/Length (\d+)/.exec(text.slice(start, stream))?.[1]);
    const hasStream = stream >= 0 && stream < end && Number.isInteger(length);
    const head = text.slice(start, hasStream ? stream : end);
    const first = text.indexOf('\n', stream) + 1;
    const bytes = hasStream ? pdf.subarray(first, first + length) : null;
    const isPacked = /\/FlateDecode/.test(head);
    const kept = bytes && !/\/Subtype\s*\/Image/.test(head) ? bytes : null;
    objects.set(Number(found[1]), { head, stream: kept && isPacked ? inflateSync(kept) : kept });
    from = hasStream ? text.indexOf('endobj', first + length) : end;
  }
}

/** Which letters the numbers of a font stand for. */
function lettersOf(font: Parsed, at: (reference: string | undefined) => Parsed) {
  const map = /\/ToUnicode\s+(\d+) 0 R/.exec(font.head);
  const text = map ? (at(map[1]).stream?.toString('latin1') ?? '') : '';
  const letters = new Map<number, string>();
  const hex = (one: string | undefined) => Number.parseInt(one ?? '', 16);
  const written = (one: string) =>
    String.fromCharCode(...(one.match(/.{4}/g) ?? []).map((part) => hex(part)));
  for (const [, body = ''] of text.matchAll(/beginbfchar([\s\S]*?)endbfchar/g)) {
    for (const [, from, to = ''] of body.matchAll(/<(\w+)>\s*<(\w+)>/g)) {
      letters.set(hex(from), written(to));
    }
  }
  for (const [, body = ''] of text.matchAll(/beginbfrange([\s\S]*?)endbfrange/g)) {
    for (const [, from, to, first = ''] of body.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g)) {
      for (let one = hex(from); one <= hex(to); one++) {
        letters.set(one, String.fromCharCode(hex(first) + one - hex(from)));
      }
    }
  }
  return letters;
}

/** What is shown by a page: letters by their numbers, two bytes each, in the font chosen last. */
function textOf(content: string, fontOf: (name: string) => ReadonlyMap<number, string>): string {
  let font: ReadonlyMap<number, string> = new Map();
  let text = '';
  for (const [, name, shown] of content.matchAll(
    /\/(\S+) [\d.]+ Tf|(<[\w<>\s\d.[\]-]*>)\]?\s*TJ?/g,
  )) {
    if (name) font = fontOf(name);
    for (const [, run = ''] of (shown ?? '').matchAll(/<(\w+)>/g)) {
      for (const code of run.match(/.{4}/g) ?? []) {
        text += font.get(Number.parseInt(code, 16)) ?? '?';
      }
    }
  }
  // Letters that are one piece in print are two for readers.
  return text.normalize('NFKC');
}
